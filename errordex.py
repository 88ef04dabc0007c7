"""The pytest plugin by its short name: `pytest -p errordex`."""

from generator.pytest_plugin import pytest_addoption, pytest_configure, pytest_runtest_makereport

__all__ = ["pytest_addoption", "pytest_configure", "pytest_runtest_makereport"]
