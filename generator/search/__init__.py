"""Full-text search: what Pagefind is fed, Pagefind itself, and what the search page reads beside its index.

An index falls into parts, each of the records of a group of repositories, so that one of any size is
built within bounds and a changed record costs one part. Beside the parts stand `search/parts.json`, which
names them, and `search/words/`, which lists the words that there are and their parts: from it the browser
takes how a word is spelt, and which parts it need not ask.
"""
