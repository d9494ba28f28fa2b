/**
 * A value that is already JSON text in the caller's version: bindings write it as it is instead of encoding it again.
 * In a stream, `id` becomes the SSE `id:` line (the revision of the task).
 */
export class JsonText<T = unknown> {
  declare readonly "~type"?: T;
  readonly id: number | undefined;
  #text: string | undefined;
  #forms: Map<object, JsonText> | undefined;

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

  /** It has no line break. What `JSON.stringify` made has none, and a subclass that knows need not look. */
  get oneLine(): boolean {
    const { text } = this;
    return !text.includes("\n") && !text.includes("\r");
  }

  /** Makes the text, once. */
  protected encode(): string {
    return "null";
  }

  /** The value, parsed; not to be changed, for a subclass may give what it was made of. */
  value(): T {
    return JSON.parse(this.text) as T;
  }

  /** What `make` makes of it, made once for all who ask under the same key: all listeners share one conversion. */
  form<F extends JsonText>(key: object, make: (text: this) => F): F {
    // Who asks under a key always makes the same kind of form.
    const known = this.#forms?.get(key) as F | undefined;
    if (known !== undefined) return known;
    const made = make(this);
    (this.#forms ??= new Map<object, JsonText>()).set(key, made);
    return made;
  }
}

/** JSON text of any output. */
export const toText = (value: unknown): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
