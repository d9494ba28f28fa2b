"""A server of the Python SDK of 1.0, with its compatibility layer for 0.3."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import httpx
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers.proto_helpers import get_message_text, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import a2a_pb2 as pb
from a2a.types import a2a_pb2_grpc
from starlette.applications import Starlette

from interop.run_server import run_server
from interop.script import scene_of
from interop.tickers import Tickers


class Executor(AgentExecutor):
    def __init__(self):
        self._tickers = Tickers()

    async def execute(self, context, event_queue):
        scene = scene_of(get_message_text(context.message), context.current_task is not None)
        if scene.do == 'release':
            self._tickers.end(scene.text, 'released')
        if scene.do in ('message', 'release'):
            text = scene.text if scene.do == 'message' else 'released'
            await event_queue.enqueue_event(new_text_message(text, context_id=context.context_id))
            return
        if context.current_task is None:
            task = new_task_from_user_message(context.message)
            task.id, task.context_id = context.task_id, context.context_id
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if scene.do == 'ask':
            await updater.requires_input(updater.new_agent_message([new_text_part(scene.text)]))
            return
        await updater.start_work()
        if scene.do == 'complete':
            await updater.add_artifact([new_text_part(scene.text)], 'a')
        for n, chunk in enumerate(scene.chunks):
            last = n == len(scene.chunks) - 1
            await updater.add_artifact([new_text_part(chunk)], 'a', append=n > 0, last_chunk=last)
        if scene.do == 'tick' and await self._tick(updater) == 'canceled':
            return
        await updater.complete()

    async def _tick(self, updater):
        said = 0

        async def say():
            nonlocal said
            await updater.add_artifact([new_text_part('tick ')], 'a', append=said > 0)
            said += 1

        return await self._tickers.run(updater.task_id, say)

    async def cancel(self, context, event_queue):
        self._tickers.end(context.task_id, 'canceled')
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def build(url, services, address):
    endpoints = [
        (binding, version, at)
        for version in ('1.0', '0.3')
        for binding, at in (('JSONRPC', f'{url}/rpc'), ('HTTP+JSON', f'{url}/rest'), ('GRPC', address))
    ]
    card = pb.AgentCard(
        name='Interop',
        description='Does what it is told.',
        version='1.0.0',
        supported_interfaces=[
            pb.AgentInterface(url=at, protocol_binding=binding, protocol_version=version)
            for binding, version, at in endpoints
        ],
        capabilities=pb.AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[pb.AgentSkill(id='interop', name='Interop', description='Does what it is told.', tags=['test'])],
    )
    hooks = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=Executor(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=hooks,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), hooks),
    )
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), services)
    a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), services)
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, '/rpc', enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix='/rest'),
    ]
    return Starlette(routes=routes), endpoints


run_server(build)
