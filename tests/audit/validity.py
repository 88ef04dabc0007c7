"""The Nu checker on every HTML file of a site."""

import json
import subprocess
from pathlib import Path

NOT_HERE = ".*external (stylesheet|script) .* blocked by.*|.*: image .* blocked by.*|.*Inline script violates.*"
"""What a policy's 'self' does to files, which have no origin; and what it does not do to blocks of data."""


def faults(tools: Path, site: Path) -> list[str]:
    """`page:line: message` for each error and warning, sorted."""
    jar = tools / "vnu-jar" / "build" / "dist" / "vnu.jar"
    command = ["java", "-jar", str(jar), "--format", "json", "--skip-non-html", "--exit-zero-always"]
    command += ["--skip-info-messages", "--filterpattern", NOT_HERE, str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    messages = json.loads(done.stderr)["messages"]
    return sorted(
        f"{one['url'].partition(f'{site.name}/')[2]}:{one.get('lastLine', 1)}: {one['message']}" for one in messages
    )
