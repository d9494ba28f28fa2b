"""Serves an application on a free port of this machine until the program's input is closed."""

import asyncio
import json
import os
import socket
import sys
import threading

import uvicorn


def run_server(build):
    """`build(url)` gives the ASGI application and the endpoints as (binding, version, url)."""
    listening = socket.socket()
    listening.bind(('127.0.0.1', 0))
    url = f'http://127.0.0.1:{listening.getsockname()[1]}'
    app, endpoints = build(url)
    lines = [{'binding': binding, 'version': version, 'url': at} for binding, version, at in endpoints]
    print(json.dumps({'url': url, 'endpoints': lines}), flush=True)
    threading.Thread(target=_end_with_input, daemon=True).start()
    server = uvicorn.Server(uvicorn.Config(app, log_level='warning'))
    asyncio.run(server.serve([listening]))


def _end_with_input():
    sys.stdin.read()
    os._exit(0)
