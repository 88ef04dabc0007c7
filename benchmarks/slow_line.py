"""A slow line to a server: bytes go through at a rate, and arrive after a delay, those of all connections together.

Chromium's own throttling does not reach the requests of a page's worker.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

CHUNK = 16_384


@dataclass
class Line:
    """A line: bits a second each way (0: as fast as it goes), the delay there and back in seconds, bytes received."""

    bits: int
    delay: float
    received: int = 0
    _free: dict[str, float] = field(default_factory=dict)

    async def carry(self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one direction of a connection to its end."""
        arriving: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        delivered = asyncio.create_task(_deliver(arriving, writer))
        now = asyncio.get_running_loop().time
        while content := await reader.read(CHUNK):
            if way == "down":
                self.received += len(content)
            sent = max(now(), self._free.get(way, 0.0)) + (len(content) * 8 / self.bits if self.bits else 0.0)
            self._free[way] = sent
            arriving.put_nowait((sent + self.delay / 2, content))
        arriving.put_nowait((now() + self.delay / 2, b""))
        await delivered


async def _deliver(arriving: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter) -> None:
    now = asyncio.get_running_loop().time
    while True:
        time, content = await arriving.get()
        await asyncio.sleep(max(0.0, time - now()))
        if not content:
            break
        writer.write(content)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


@contextmanager
def through(line: Line, port: int) -> Iterator[int]:
    """A port of this machine that leads to another one of it by way of the line."""
    loop = asyncio.new_event_loop()
    started: list[int] = []
    ready = threading.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(line.delay)  # the handshake
        try:
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(line.carry("up", reader, back), line.carry("down", there, writer))
            back.close()
        except (ConnectionError, RuntimeError):
            pass
        writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        started.append(server.sockets[0].getsockname()[1])
        ready.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.create_task(serve())  # noqa: RUF006 - the loop keeps it until it has run
        loop.run_forever()

    threading.Thread(target=run, daemon=True).start()
    ready.wait()
    try:
        yield started[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
