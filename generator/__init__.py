"""Errordex: software errors as JSON records in, a static reference site out."""

__version__ = "0.1.0"
