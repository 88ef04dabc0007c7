"""English words and words of logs that say nothing about which message a text is."""

_WORDS = """
a about after again all already also an and another any are as at be because been before being between both but by
can cannot could did do does done during each either else error exception expected failed first for found from get
given got had has have here how however if in input instead into invalid is it its itself just last least less like
list line make may more most must name need needs new no none not now number of off on one only or other our out
over own please set should since so some such sure than that the their them then there these they this those to too
true false try type under unknown until up use used using value values very via was we were what when where which
while who why will with within without would yet you your key file path object string
"""

STOPWORDS = frozenset(_WORDS.split())
