"""A client of the Python SDK of 1.0; it speaks 0.3 through its compatibility layer."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import get_artifact_text, get_message_text, new_text_part
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import A2A_ERROR_REASONS

from interop.channel import open_channel
from interop.run_client import plainly, run_client
from interop.told import Hook, Page, Told


def connect_to(url, binding, version):
    async def connect(wrong_version=None):
        http = httpx.AsyncClient(timeout=20)
        card = await A2ACardResolver(http, url).get_agent_card()
        if wrong_version is not None:
            http.event_hooks['request'].append(saying(wrong_version))
        chosen = [
            one
            for one in card.supported_interfaces
            if one.protocol_binding == binding and (one.protocol_version or '0.3').startswith(version)
        ]
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(chosen)
        configs = [
            ClientConfig(
                httpx_client=http,
                grpc_channel_factory=open_channel(wrong_version),
                supported_protocol_bindings=[binding],
                streaming=streaming,
            )
            for streaming in (False, True)
        ]
        plain, streaming = [ClientFactory(config).create(card) for config in configs]
        return Client(card, plain, streaming)

    return connect


def saying(version):
    """Says another version than the client does, on its way out."""

    async def hook(request):
        request.headers['A2A-Version'] = version

    return hook


class Client:
    def __init__(self, card, plain, streaming):
        self._card, self._plain, self._streaming = card, plain, streaming

    async def card(self):
        card = self._card
        return {
            'name': card.name,
            'streaming': card.capabilities.streaming,
            'push': card.capabilities.push_notifications,
            'skills': [skill.id for skill in card.skills],
        }

    async def send(self, say):
        async for event in self._plain.send_message(request(say)):
            return event_told(event)

    async def stream(self, say):
        async for event in self._streaming.send_message(request(say)):
            yield event_told(event)

    async def history(self, id_, length=None):
        task = await self._plain.get_task(pb.GetTaskRequest(id=id_, history_length=length))
        return [
            ('user' if one.role == pb.Role.ROLE_USER else 'agent', get_message_text(one)) for one in task.history
        ]

    async def list(self, context_id, size, token):
        asked = pb.ListTasksRequest(context_id=context_id, page_size=size, page_token=token)
        page = await self._plain.list_tasks(asked)
        return Page([task.id for task in page.tasks], page.total_size, page.next_page_token)

    async def cancel(self, id_):
        return task_told(await self._plain.cancel_task(pb.CancelTaskRequest(id=id_)))

    async def subscribe(self, id_):
        async for event in self._streaming.subscribe(pb.SubscribeToTaskRequest(id=id_)):
            yield event_told(event)

    async def set_hook(self, task_id, hook):
        config = pb.TaskPushNotificationConfig(task_id=task_id, id=hook.id, url=hook.url, token=hook.token)
        return hook_of(await self._plain.create_task_push_notification_config(config))

    async def get_hook(self, task_id, id_):
        asked = pb.GetTaskPushNotificationConfigRequest(task_id=task_id, id=id_)
        return hook_of(await self._plain.get_task_push_notification_config(asked))

    async def list_hooks(self, task_id):
        asked = pb.ListTaskPushNotificationConfigsRequest(task_id=task_id)
        return [hook_of(one) for one in (await self._plain.list_task_push_notification_configs(asked)).configs]

    async def delete_hook(self, task_id, id_):
        asked = pb.DeleteTaskPushNotificationConfigRequest(task_id=task_id, id=id_)
        await self._plain.delete_task_push_notification_config(asked)

    def reason_of(self, error):
        return A2A_ERROR_REASONS.get(type(error)) or plainly(error)


def request(say):
    return pb.SendMessageRequest(
        message=pb.Message(
            message_id=str(uuid.uuid4()),
            role=pb.Role.ROLE_USER,
            parts=[new_text_part(say.text)],
            task_id=say.task_id,
            context_id=say.context_id,
        ),
        configuration=pb.SendMessageConfiguration(return_immediately=say.immediately),
    )


def hook_of(config):
    return Hook(config.id, config.url, config.token)


def state_of(state):
    return pb.TaskState.Name(state).removeprefix('TASK_STATE_').lower().replace('_', '-')


def note_of(status):
    return get_message_text(status.message) if status.HasField('message') else ''


def task_told(task):
    text = ''.join(get_artifact_text(one, '') for one in task.artifacts)
    return Told('task', task.id, task.context_id, state_of(task.status.state), text, note_of(task.status))


def event_told(event):
    if event.HasField('task'):
        return task_told(event.task)
    if event.HasField('message'):
        message = event.message
        return Told('message', message.task_id, message.context_id, text=get_message_text(message))
    if event.HasField('artifact_update'):
        update = event.artifact_update
        return Told('artifact', update.task_id, update.context_id, text=get_artifact_text(update.artifact, ''))
    update = event.status_update
    state = state_of(update.status.state)
    return Told('status', update.task_id, update.context_id, state, note=note_of(update.status))


run_client(connect_to)
