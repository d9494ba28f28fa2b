"""A task, a message or an event, in words of no version."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Say:
    """A message to send: its text, and what it belongs to."""

    text: str
    task_id: str | None = None
    context_id: str | None = None
    immediately: bool = False


@dataclass(frozen=True)
class Told:
    """What was told; state, text and note are '' where nothing is said about them."""

    kind: str
    id: str
    context_id: str
    state: str = ''
    text: str = ''
    note: str = ''


@dataclass(frozen=True)
class Hook:
    """A webhook to be told of a task."""

    id: str
    url: str
    token: str


@dataclass(frozen=True)
class Page:
    """One page of a task list."""

    ids: list[str]
    total: int
    next: str
