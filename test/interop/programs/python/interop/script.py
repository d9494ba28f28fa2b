"""What the agent of every server does, told by the text of a message: the same as in script.ts."""

from dataclasses import dataclass, field

TICK_SECONDS = 0.025


@dataclass(frozen=True)
class Scene:
    """One thing to do; `text` is what is said, the question, or the task to release."""

    do: str
    text: str = ''
    chunks: list[str] = field(default_factory=list)


def scene_of(text: str, answers: bool) -> Scene:
    """Reads the text of a first message; an answer to a question is completed whatever it says."""
    if answers:
        return Scene('complete', f'heard {text}')
    word, _, argument = text.partition(' ')
    if word == 'message':
        return Scene('message', 'heard message')
    if word == 'ask':
        return Scene('ask', 'Which city?')
    if word == 'tick':
        return Scene('tick')
    if word == 'release':
        return Scene('release', argument)
    if word == 'stream':
        return Scene('stream', chunks=[f'{n} ' for n in range(int(argument))])
    return Scene('complete', f'heard {text}')
