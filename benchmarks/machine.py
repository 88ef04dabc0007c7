"""What a figure depends on besides the code: the machine, its system, and the versions of what was measured."""

import os
import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from generator import __version__


def facts(load: float, peers: Sequence[str]) -> list[tuple[str, str]]:
    """Names and values, in the order in which they are shown.

    `load` is the number of processes that ran or waited in the minute before; `peers` the versions of those that ran.
    """
    own = ", ".join(f"{name} {version(name)}" for name in ("mkdocs", "mkdocs-material", "Pygments"))
    return [
        ("Processor", f"{processor()}, {cores()} cores"),
        ("Memory", f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"),
        ("System", f"{system()}, {platform.machine()}"),
        ("Load before", f"{load:.1f} processes, on average over a minute"),
        ("Errordex", f"{__version__}, Python {platform.python_version()}, {own}"),
        ("Peers", "; ".join(dict.fromkeys(peers)) or "none"),
    ]


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The model's name, as the system gives it."""
    path = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", path.read_text("utf-8"), re.MULTILINE) if path.is_file() else None
    return found[1] if found else platform.processor() or platform.machine()


def system() -> str:
    """The distribution where there is one, and the kernel."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, {platform.system()} {platform.release()}"
