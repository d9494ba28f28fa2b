"""Serves an application and gRPC services on free ports of this machine until the program's input is closed."""

import asyncio
import json
import os
import socket
import sys
import threading

import grpc
import uvicorn


def run_server(build):
    """`build(url, services, address)` adds to the gRPC server, and gives the ASGI application and the endpoints as (binding, version, url)."""
    asyncio.run(_serve(build))


async def _serve(build):
    listening = socket.socket()
    listening.bind(('127.0.0.1', 0))
    url = f'http://127.0.0.1:{listening.getsockname()[1]}'
    services = grpc.aio.server()
    address = f'127.0.0.1:{services.add_insecure_port("127.0.0.1:0")}'
    app, endpoints = build(url, services, address)
    await services.start()
    lines = [{'binding': binding, 'version': version, 'url': at} for binding, version, at in endpoints]
    print(json.dumps({'url': url, 'endpoints': lines}), flush=True)
    threading.Thread(target=_end_with_input, daemon=True).start()
    await uvicorn.Server(uvicorn.Config(app, log_level='warning')).serve([listening])


def _end_with_input():
    sys.stdin.read()
    os._exit(0)
