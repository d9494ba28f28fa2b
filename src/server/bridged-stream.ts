import type { TextChain } from "../convert/text-chain.js";
import type { Bridge, Conversion, ConversionOptions } from "../convert/types.js";
import { A2AError } from "../errors.js";
import { JsonText } from "../json-text.js";
import { isFinal } from "./final-event.js";

/** How the events of a stream are converted. */
export interface EventConversion {
  /** Also the key under which listeners share a converted event. */
  readonly bridge: Bridge;
  readonly down: Conversion;
  /** The text of what `down` makes, where it can be had without. */
  readonly text: TextChain | undefined;
  readonly conversion: ConversionOptions | undefined;
  /** True for an event that is the last one whatever its state says. */
  readonly ends: ((event: unknown) => boolean) | undefined;
}

type Result = IteratorResult<unknown, undefined>;
const DONE: Result = { done: true, value: undefined };

/** A converted event, as text that all listeners of one bridge share. */
class BridgedEvent extends JsonText {
  readonly final: boolean;

  constructor(text: string, id: number | undefined, final: boolean) {
    super(text, id);
    this.final = final;
  }
}

/**
 * The events of a near stream in the far version. It closes after an event that the far version calls final, where the
 * near one may go on (version mapping 2.7, 3.5). A hand-written iterator, because `return()` of a generator waits for
 * the pull in flight and a disconnect must not.
 */
export class BridgedStream implements AsyncIterableIterator<unknown, undefined> {
  readonly #source: AsyncIterator<unknown>;
  readonly #how: EventConversion;
  #over = false;

  constructor(source: AsyncIterable<unknown>, how: EventConversion) {
    this.#source = source[Symbol.asyncIterator]();
    this.#how = how;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Result> {
    if (this.#over) return DONE;
    try {
      const result = await this.#source.next();
      // It may have been ended meanwhile; what came is for nobody.
      if (this.#ended() || result.done === true) return DONE;
      return { done: false, value: this.#convert(result.value) };
    } catch (error) {
      this.#end();
      throw error instanceof A2AError ? this.#how.bridge.errorDown(error) : error;
    }
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve(DONE);
  }

  #convert(chunk: unknown): unknown {
    if (chunk instanceof JsonText) return this.#text(chunk);
    if (!Array.isArray(chunk)) return this.#plain(chunk);
    const texts: JsonText[] = [];
    for (const event of chunk as readonly JsonText[]) {
      texts.push(this.#text(event));
      if (this.#over) break;
    }
    return texts;
  }

  #text(event: JsonText): JsonText {
    const converted = event.form(this.#how.bridge, this.#encode);
    if (converted.final) this.#end();
    return converted;
  }

  readonly #encode = (event: JsonText): BridgedEvent => {
    const near: unknown = event.value();
    // Of what may end the stream, the value in the far version is needed: whether it does stands there.
    const text = isArtifact(near) ? this.#how.text?.(near, this.#how.conversion) : undefined;
    if (text !== undefined) return new BridgedEvent(text, event.id, false);
    const value = this.#down(near);
    return new BridgedEvent(JSON.stringify(value), event.id, isFinal(value));
  };

  #plain(event: unknown): unknown {
    const value = this.#down(event);
    if (isFinal(value)) this.#end();
    return value;
  }

  #down(event: unknown): unknown {
    const { down, conversion, ends } = this.#how;
    return down(event, ends?.(event) === true ? { ...conversion, endOfStream: true } : conversion);
  }

  #ended(): boolean {
    return this.#over;
  }

  /** Its own end, and that of the near stream, whose result has nowhere to go. */
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }
}

/** An event of an artifact, of which streams have most, and which ends none. */
const isArtifact = (event: unknown): boolean =>
  (event as { readonly artifactUpdate?: unknown }).artifactUpdate !== undefined;
