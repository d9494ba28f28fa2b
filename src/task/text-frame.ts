import type { EventFrame } from "../store/types.js";
import type { StreamResponse } from "../versions/pivot.js";

/** All of the events that add a text to one artifact but the texts: what is around them is encoded once. */
export class TextFrame implements EventFrame {
  readonly artifactId: string;
  readonly head: string;
  readonly #taskId: string;
  readonly #contextId: string;

  constructor(taskId: string, contextId: string, artifactId: string) {
    this.artifactId = artifactId;
    this.#taskId = taskId;
    this.#contextId = contextId;
    const ids = `"taskId":${JSON.stringify(taskId)},"contextId":${JSON.stringify(contextId)}`;
    // Joined, because a string that is added up is a tree, which each event would be written through anew.
    this.head = [
      `{"artifactUpdate":{${ids},"artifact":{"artifactId":`,
      JSON.stringify(artifactId),
      ',"parts":[{"text":',
    ].join("");
  }

  get tail(): string {
    return TAIL;
  }

  /** The event that adds a text. */
  event(text: string): StreamResponse {
    const artifact = { artifactId: this.artifactId, parts: [{ text }] };
    return { artifactUpdate: { taskId: this.#taskId, contextId: this.#contextId, artifact, append: true } };
  }

  /** The same as JSON text, where `json` is the text as JSON. */
  around(json: string): string {
    return this.head + json + TAIL;
  }
}

const TAIL = '}]},"append":true}}';
