"""The command line of a client program: runs the steps that are asked for, and prints a line for each."""

import argparse
import asyncio
import json
from dataclasses import dataclass
from typing import Any, Callable

from interop.steps import STEPS


@dataclass
class Scene:
    """What a step is given: a connected client, a way to make more, and a webhook."""

    client: Any
    connect: Callable
    webhook: str


def run_client(connect_to):
    """`connect_to(url, binding, version)` gives a coroutine function that makes a client: `connect(wrong_version=None)`."""
    parser = argparse.ArgumentParser()
    for name in ('url', 'binding', 'version', 'endpoint', 'webhook', 'steps'):
        parser.add_argument(f'--{name}', required=True)
    args = parser.parse_args()
    asyncio.run(_run(connect_to(args.url, args.binding, args.version), args))


async def _run(connect, args):
    for step in args.steps.split(','):
        try:
            scene = Scene(await connect(), connect, args.webhook)
            line = {'step': step, 'seen': await STEPS[step](scene)}
        except Exception as error:  # noqa: BLE001 - the reader decides what it means
            line = {'step': step, 'failed': plainly(error)}
        print(json.dumps(line), flush=True)


def plainly(error):
    """An error in one line."""
    return f'{type(error).__name__}: {error}'.split('\n')[0]
