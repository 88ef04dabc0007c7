"""A `messagePattern` to its literal pieces and gaps, or why not.

Patterns come from data, so they are never run as regular expressions: `compile` reads the part of the
notation that has a meaning as literal text, bounded gaps and alternatives, and refuses the rest with a
way to write it. `programs` is the form and its meaning, `matching` finds it in a text.
"""

from generator.patterns.compiler import compile, matches_template
from generator.patterns.programs import Hole, Match, Program
from generator.patterns.refusals import PatternError

__all__ = ["Hole", "Match", "PatternError", "Program", "compile", "matches_template"]
