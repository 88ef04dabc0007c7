"""Coverage-guided fuzzing, `make fuzz MINUTES=10`; what is found joins the corpus, which the tests read."""
