"""A client of the Python SDK of 0.3."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import uuid

import grpc
import httpx
from a2a import types
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError

from interop.channel import open_channel
from interop.reasons import REASONS
from interop.run_client import plainly, run_client
from interop.told import Hook, Told


def connect_to(url, binding, _version):
    async def connect(wrong_version=None):
        http = httpx.AsyncClient(timeout=20)
        card = await A2ACardResolver(http, url).get_agent_card()
        if wrong_version is not None:
            http.headers['A2A-Version'] = wrong_version

        def client(**config):
            shared = {
                'httpx_client': http,
                'grpc_channel_factory': open_channel(wrong_version),
                'supported_transports': [binding],
                'use_client_preference': True,
            }
            return ClientFactory(ClientConfig(**shared, **config)).create(card)

        return Client(card, client(streaming=False), client(streaming=False, polling=True), client(streaming=True))

    return connect


class Client:
    def __init__(self, card, blocking, polling, streaming):
        self._card, self._blocking, self._polling, self._streaming = card, blocking, polling, streaming

    async def card(self):
        card = self._card
        return {
            'name': card.name,
            'streaming': bool(card.capabilities.streaming),
            'push': bool(card.capabilities.push_notifications),
            'skills': [skill.id for skill in card.skills],
        }

    async def send(self, say):
        client = self._polling if say.immediately else self._blocking
        async for event in client.send_message(message(say)):
            return event_told(event)

    async def stream(self, say):
        async for event in self._streaming.send_message(message(say)):
            yield event_told(event)

    async def history(self, id_, length=None):
        task = await self._blocking.get_task(types.TaskQueryParams(id=id_, history_length=length))
        return [(one.role.value, text_of(one.parts)) for one in task.history or []]

    async def cancel(self, id_):
        return task_told(await self._blocking.cancel_task(types.TaskIdParams(id=id_)))

    async def subscribe(self, id_):
        async for event in self._streaming.resubscribe(types.TaskIdParams(id=id_)):
            yield event_told(event)

    async def set_hook(self, task_id, hook):
        config = types.PushNotificationConfig(id=hook.id, url=hook.url, token=hook.token)
        asked = types.TaskPushNotificationConfig(task_id=task_id, push_notification_config=config)
        return hook_of(await self._blocking.set_task_callback(asked))

    async def get_hook(self, task_id, id_):
        asked = types.GetTaskPushNotificationConfigParams(id=task_id, push_notification_config_id=id_)
        return hook_of(await self._blocking.get_task_callback(asked))

    async def list_hooks(self, task_id):
        raise NotImplementedError('the SDK has no such call')

    async def delete_hook(self, task_id, id_):
        raise NotImplementedError('the SDK has no such call')

    def reason_of(self, error):
        if isinstance(error, A2AClientJSONRPCError):
            return REASONS.get(error.error.code) or plainly(error)
        if isinstance(error, A2AClientHTTPError):
            return f'HTTP {error.status_code}'
        if isinstance(error, grpc.RpcError):
            return f'gRPC {error.code().name}'
        return plainly(error)


def message(say):
    return types.Message(
        message_id=str(uuid.uuid4()),
        role=types.Role.user,
        parts=[types.Part(root=types.TextPart(text=say.text))],
        task_id=say.task_id,
        context_id=say.context_id,
    )


def text_of(parts):
    return ''.join(part.root.text for part in parts if isinstance(part.root, types.TextPart))


def hook_of(answer):
    config = answer.push_notification_config
    return Hook(config.id or '', config.url, config.token or '')


def note_of(status):
    return text_of(status.message.parts) if status.message else ''


def task_told(task):
    text = ''.join(text_of(one.parts) for one in task.artifacts or [])
    return Told('task', task.id, task.context_id, task.status.state.value, text, note_of(task.status))


def event_told(event):
    """The SDK hands out a message, or the task as it has become together with the event, if it was not the task."""
    if isinstance(event, types.Message):
        return Told('message', event.task_id or '', event.context_id or '', text=text_of(event.parts))
    task, update = event
    if update is None:
        return task_told(task)
    if isinstance(update, types.TaskArtifactUpdateEvent):
        return Told('artifact', update.task_id, update.context_id, text=text_of(update.artifact.parts))
    state = update.status.state.value
    return Told('status', update.task_id, update.context_id, state, note=note_of(update.status))


run_client(connect_to)
