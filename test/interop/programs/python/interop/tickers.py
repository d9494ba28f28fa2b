"""The tasks that tick: each says something again and again until it is released or canceled."""

import asyncio

from interop.script import TICK_SECONDS


class Tickers:
    """The tickers of one agent."""

    def __init__(self):
        self._running: dict[str, asyncio.Future] = {}

    async def run(self, task_id, say):
        """Awaits `say()` every tick; gives how it ended."""
        ended = asyncio.get_running_loop().create_future()
        self._running[task_id] = ended
        try:
            while not ended.done():
                await say()
                await asyncio.wait([ended], timeout=TICK_SECONDS)
            return ended.result()
        finally:
            self._running.pop(task_id, None)

    def end(self, task_id, how):
        """Ends the ticking of a task; nothing happens where it does not tick."""
        ended = self._running.get(task_id)
        if ended and not ended.done():
            ended.set_result(how)
