"""Fuzz one target until libFuzzer's options say that it is enough: python -m tests.fuzz.one decoder OPTIONS."""

import sys

import atheris

with atheris.instrument_imports(include=["generator"]):
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    name, *options = sys.argv[1:]
    atheris.Setup([sys.argv[0], *options], TARGETS[name])
    atheris.Fuzz()
