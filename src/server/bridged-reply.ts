import { JsonText } from "../json-text.js";

/** A reply that was text, and is text again in the far version; its value is made for who asks. */
export class BridgedReply extends JsonText {
  readonly #make: () => unknown;

  constructor(text: string, make: () => unknown) {
    super(text);
    this.#make = make;
  }

  override value(): unknown {
    return this.#make();
  }
}
