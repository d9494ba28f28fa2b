"""The steps, each a function of what a client sees: the same ones, with the same outcomes, as in steps.ts."""

import uuid

import httpx

from interop.told import Hook, Say

ABSENT = 'absent'


async def card(scene):
    return await scene.client.card()


async def send(scene):
    told = await scene.client.send(Say('complete'))
    return {'kind': told.kind, 'state': told.state, 'text': told.text}


async def message(scene):
    told = await scene.client.send(Say('message'))
    return {'kind': told.kind, 'text': told.text}


async def stream(scene):
    told = [event async for event in scene.client.stream(Say('stream 5'))]
    return {
        'first': told[0].kind if told else ABSENT,
        'states': states_of(told),
        'text': ''.join(event.text for event in told if event.kind == 'artifact'),
    }


async def history(scene):
    asked = await scene.client.send(Say('ask'))
    await scene.client.send(Say('Paris', asked.id, asked.context_id))
    whole = await scene.client.history(asked.id)
    return {
        'all': [text for role, text in whole if role == 'user'],
        'one': len(await scene.client.history(asked.id, 1)),
        'none': len(await scene.client.history(asked.id, 0)),
    }


async def list_(scene):
    context_id = str(uuid.uuid4())
    sent = [(await scene.client.send(Say('complete', None, context_id))).id for _ in range(3)]
    first = await scene.client.list(context_id, 2, '')
    second = await scene.client.list(context_id, 2, first.next)
    return {
        'pages': [len(first.ids), len(second.ids)],
        'total': first.total,
        'same': sorted(sent) == sorted(first.ids + second.ids),
        'more': second.next != '',
    }


async def input_(scene):
    asked = await scene.client.send(Say('ask'))
    done = await scene.client.send(Say('Paris', asked.id, asked.context_id))
    return {
        'asked': asked.state,
        'question': asked.note,
        'same': done.id == asked.id,
        'state': done.state,
        'text': done.text,
    }


async def cancel(scene):
    running = await scene.client.send(Say('tick', immediately=True))
    canceled = await scene.client.cancel(running.id)
    finished = await scene.client.send(Say('complete'))
    return {
        'running': running.state in ('submitted', 'working'),
        'state': canceled.state,
        'finished': await failure(scene, scene.client.cancel(finished.id)),
    }


async def subscribe(scene):
    running = await scene.client.send(Say('tick', immediately=True))
    second = await scene.connect()
    told = []
    async for event in second.subscribe(running.id):
        if not told:
            await scene.client.send(Say(f'release {running.id}'))
        told.append(event)
    return {
        'first': told[0].kind if told else ABSENT,
        'id': all(event.id == running.id for event in told),
        'last': (states_of(told) or [ABSENT])[-1],
    }


async def push(scene):
    client = scene.client
    asked = await client.send(Say('ask'))
    hook = Hook('hook-1', scene.webhook, 'secret')
    made = await client.set_hook(asked.id, hook)

    async def get():
        return (await client.get_hook(asked.id, hook.id)).url == hook.url

    async def list_ids():
        return [one.id for one in await client.list_hooks(asked.id)]

    async def delete():
        await client.delete_hook(asked.id, hook.id)
        return await list_ids()

    got = await attempt(scene, get())
    listed = await attempt(scene, list_ids())
    left = await attempt(scene, delete())
    if isinstance(left, list):
        await client.set_hook(asked.id, hook)
    await client.send(Say('Paris', asked.id, asked.context_id))
    async with httpx.AsyncClient(timeout=20) as http:
        delivered = (await http.get(scene.webhook)).json()
    return {'made': made.url == hook.url, 'got': got, 'listed': listed, 'left': left, **delivered}


async def unknown(scene):
    client, id_ = scene.client, 'no-such-task'
    return {
        'get': await failure(scene, client.history(id_)),
        'cancel': await failure(scene, client.cancel(id_)),
        'subscribe': await failure(scene, drain(client.subscribe(id_))),
        'send': await failure(scene, client.send(Say('complete', id_))),
    }


async def version(scene):
    client = await scene.connect('9.9')
    return {'error': await failure(scene, client.send(Say('complete')))}


STEPS = {
    'card': card,
    'send': send,
    'message': message,
    'stream': stream,
    'history': history,
    'list': list_,
    'input': input_,
    'cancel': cancel,
    'subscribe': subscribe,
    'push': push,
    'unknown': unknown,
    'version': version,
}


async def drain(events):
    async for _ in events:
        pass


async def attempt(scene, call):
    """What a call gives, or what its failure means: one of several calls of a step may be missing."""
    try:
        return await call
    except NotImplementedError:
        return ABSENT
    except Exception as error:  # noqa: BLE001 - any error is an observation here
        return scene.client.reason_of(error)


async def failure(scene, call):
    """What an awaited call fails with, in the words of the protocol."""
    try:
        await call
    except Exception as error:  # noqa: BLE001 - any error is an observation here
        return scene.client.reason_of(error)
    return 'no error'


def states_of(told):
    """The states in the order in which they were said, repeats left out."""
    states = []
    for event in told:
        if event.state and (not states or states[-1] != event.state):
            states.append(event.state)
    return states
