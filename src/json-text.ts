/**
 * A value that is already JSON text in the caller's version: bindings write it as it is instead of encoding it again.
 * In a stream, `id` becomes the SSE `id:` line (the revision of the task).
 */
export class JsonText<T = unknown> {
  declare readonly "~type"?: T;
  readonly id: number | undefined;
  #text: string | undefined;

  /** Without text, a subclass makes it when it is first asked for. */
  constructor(text: string | undefined, id?: number) {
    this.#text = text;
    this.id = id;
  }

  /** The JSON text. */
  get text(): string {
    this.#text ??= this.encode();
    return this.#text;
  }

  /** Makes the text, once. */
  protected encode(): string {
    return "null";
  }

  /** The value, parsed. */
  value(): T {
    return JSON.parse(this.text) as T;
  }
}

/** JSON text of any output. */
export const toText = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
