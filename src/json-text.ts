/**
 * A value that is already JSON text in the caller's version: bindings write it as it is instead of encoding it again.
 * In a stream, `id` becomes the SSE `id:` line (the revision of the task).
 */
export class JsonText<T = unknown> {
  declare readonly "~type"?: T;
  readonly id: number | undefined;
  #text: string | undefined;
  #encode: (() => string) | undefined;

  /** With a function, the text is made when it is first asked for, once. */
  constructor(text: string | (() => string), id?: number) {
    this.id = id;
    if (typeof text === "string") this.#text = text;
    else this.#encode = text;
  }

  /** The JSON text. */
  get text(): string {
    if (this.#text === undefined) {
      this.#text = this.#encode?.() ?? "null";
      this.#encode = undefined;
    }
    return this.#text;
  }

  /** The value, parsed. */
  value(): T {
    return JSON.parse(this.text) as T;
  }
}

/** JSON text of any output. */
export const toText = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
