"""What all tests share: the flag that rewrites golden files, and how hypothesis runs."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "errordex",
    deadline=None,  # times are the benchmarks' business, and machines differ
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("errordex")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write golden files anew; then read the diff")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--bless"))
