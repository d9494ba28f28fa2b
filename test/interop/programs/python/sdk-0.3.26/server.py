"""A server of the Python SDK of 0.3."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import httpx
from a2a import types
from a2a.grpc import a2a_pb2_grpc
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.utils import get_message_text, new_agent_text_message, new_task

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
            await event_queue.enqueue_event(new_agent_text_message(text, context_id=context.context_id))
            return
        if context.current_task is None:
            task = new_task(context.message)
            task.id, task.context_id = context.task_id, context.context_id
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if scene.do == 'ask':
            question = updater.new_agent_message(parts(scene.text))
            await updater.requires_input(question, final=True)
            return
        await updater.start_work()
        if scene.do == 'complete':
            await updater.add_artifact(parts(scene.text), 'a')
        for n, chunk in enumerate(scene.chunks):
            last = n == len(scene.chunks) - 1
            await updater.add_artifact(parts(chunk), 'a', append=n > 0, last_chunk=last)
        if scene.do == 'tick' and await self._tick(updater) == 'canceled':
            return
        await updater.complete()

    async def _tick(self, updater):
        said = 0

        async def say():
            nonlocal said
            await updater.add_artifact(parts('tick '), 'a', append=said > 0)
            said += 1

        return await self._tickers.run(updater.task_id, say)

    async def cancel(self, context, event_queue):
        self._tickers.end(context.task_id, 'canceled')
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def parts(text):
    return [types.Part(root=types.TextPart(text=text))]


def build(url, services, address):
    endpoints = [('JSONRPC', '0.3', f'{url}/rpc'), ('HTTP+JSON', '0.3', f'{url}/rest'), ('GRPC', '0.3', address)]
    card = types.AgentCard(
        name='Interop',
        description='Does what it is told.',
        version='1.0.0',
        protocol_version='0.3.0',
        url=f'{url}/rpc',
        preferred_transport='JSONRPC',
        additional_interfaces=[types.AgentInterface(transport=binding, url=at) for binding, _, at in endpoints],
        capabilities=types.AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[types.AgentSkill(id='interop', name='Interop', description='Does what it is told.', tags=['test'])],
    )
    hooks = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=Executor(),
        task_store=InMemoryTaskStore(),
        push_config_store=hooks,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), hooks),
    )
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(card, handler), services)
    app = A2ARESTFastAPIApplication(card, handler).build(rpc_url='/rest')
    A2AStarletteApplication(card, handler).add_routes_to_app(app, rpc_url='/rpc')
    return app, endpoints


run_server(build)
