import { ENVELOPE_BYTES, encodeMessage, encodeNews, type EncodedNews } from "./encode-news.js";
import type { News } from "./types.js";

/** News that may wait for those before them to be sent; each is at most a message long. */
const LIMIT = 4_096;
/** Messages that are sent at once. */
const BATCH = 256;

/** What one sender has to say, packed into numbered messages. */
export class MessageQueue {
  readonly #from: string;
  readonly #room: number;
  #waiting: EncodedNews[] = [];
  #seq = 0;
  #skipped = false;

  /** `maxPayload`: bytes of a message. */
  constructor(from: string, maxPayload: number) {
    this.#from = from;
    this.#room = maxPayload - ENVELOPE_BYTES;
  }

  /** Whether there is anything to send, be it only that something is missing. */
  get pending(): boolean {
    return this.#skipped || this.#waiting.length > 0;
  }

  add(news: readonly News[]): void {
    for (const one of news) {
      const encoded = this.#waiting.length < LIMIT ? this.#encode(one) : undefined;
      if (encoded) this.#waiting.push(encoded);
      else this.#skipped = true;
    }
  }

  #encode(news: News): EncodedNews | undefined {
    try {
      return encodeNews(news, this.#room);
    } catch {
      // A text that is encoded on first use cannot be: whoever asks the store will be told why.
      return undefined;
    }
  }

  /** Something was or may have been dropped: the next message leaves out a number, so that everybody looks. */
  skip(): void {
    this.#skipped = true;
  }

  /** Drops what waits. */
  drop(): void {
    if (this.#waiting.length > 0) this.#skipped = true;
    this.#waiting = [];
  }

  /** The next messages; an empty one where there are no news. */
  take(): string[] {
    const messages: string[] = [];
    let next = 0;
    do {
      const texts: string[] = [];
      let room = this.#room;
      for (let news = this.#waiting[next]; news && news.bytes <= room; news = this.#waiting[next]) {
        texts.push(news.text);
        room -= news.bytes + 1;
        next += 1;
      }
      this.#seq += this.#skipped ? 2 : 1;
      this.#skipped = false;
      messages.push(encodeMessage(this.#from, this.#seq, texts));
    } while (next < this.#waiting.length && messages.length < BATCH);
    this.#waiting = this.#waiting.slice(next);
    return messages;
  }
}
