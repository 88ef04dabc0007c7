"""`python -m generator` is the command `errordex`."""

from generator.cli import main

main(prog_name="errordex")
