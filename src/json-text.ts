/**
 * A value that is already JSON text in the caller's version: bindings write it as it is instead of encoding it again.
 * In a stream, `id` becomes the SSE `id:` line (the revision of the task).
 */
export class JsonText<T = unknown> {
  declare readonly "~type"?: T;
  readonly text: string;
  readonly id: number | undefined;

  constructor(text: string, id?: number) {
    this.text = text;
    this.id = id;
  }

  /** The value, parsed. */
  value(): T {
    return JSON.parse(this.text) as T;
  }
}

/** JSON text of any output. */
export const toText = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
