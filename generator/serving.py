"""The live server's answers, with the types and headers that a good host sends.

One thing differs from a host: MkDocs puts an inline script into each page, which reloads it when
something changed, so the policy of served pages lets inline scripts run.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote

from generator import hosting

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>\n?')
_RELOADING = hosting.POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")


def with_headers(application: Application, mount: str) -> Application:
    """`application`, a WSGI server of the site below `mount` (with a final slash), sending what a host would."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        uri = unquote(environ.get("PATH_INFO", "/")).removeprefix(mount)
        extra = {**hosting.headers(uri), "Content-Security-Policy": _RELOADING, "Cache-Control": "no-cache"}

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            found = status.startswith("200")
            kept = [
                (name, value)
                for name, value in headers
                if name.title() not in extra and name.title() != "Content-Length"
            ]
            return start_response(status, [*kept, *extra.items()] if found else headers, *rest)

        body = application(environ, start)
        return map(_reloadable, body) if uri.endswith(("/", ".html")) or not uri else body

    return answer


def _reloadable(piece: bytes) -> bytes:
    return _POLICY.sub(b"", piece)
