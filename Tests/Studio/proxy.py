"""A TCP proxy before a studio that delays and cuts connections, as a bad network does."""
import asyncio


class Proxy:
    """Forwards connections to a port. Use as `async with Proxy(port) as proxy`."""

    def __init__(self, port):
        self.target = port
        #: Seconds that each part of an answer or a request waits.
        self.delay = 0
        #: "open"; "closed" refuses everything; "answers" forwards requests and cuts before the answer.
        self.mode = "open"
        #: A text: only connections whose request holds it are cut in the mode "answers".
        self.only = b""
        #: Connections that were cut.
        self.cuts = 0
        self.writers = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()
        await asyncio.sleep(0)

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    def cut(self):
        """Cuts all connections now."""
        for writer in list(self.writers):
            writer.transport.abort()

    async def _connected(self, reader, writer):
        if self.mode == "closed":
            self.cuts += 1
            writer.transport.abort()
            return
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, other_writer}
        state = {"doomed": False}
        await asyncio.gather(self._pass(reader, other_writer, state, True),
                             self._pass(other_reader, writer, state, False))
        self.writers -= {writer, other_writer}

    async def _pass(self, reader, writer, state, is_request):
        try:
            while data := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.mode == "closed":
                    break
                if is_request and self.mode == "answers" and self.only in data:
                    state["doomed"] = True
                if not is_request and state["doomed"]:
                    # The studio has done what was asked, and the page does not learn of it.
                    self.cuts += 1
                    break
                writer.write(data)
                await writer.drain()
        except (ConnectionError, OSError):
            pass
        finally:
            if state["doomed"] or self.mode == "closed":
                for each in list(self.writers):
                    if each is writer:
                        each.transport.abort()
            try:
                writer.close()
            except (ConnectionError, OSError, RuntimeError):
                pass
