/** How many ids are remembered at least, at most twice as many: more than any server replays by mistake. */
const REMEMBERED = 4096;

const number = /^\d{1,15}$/;
/** A number as it is written by who counts. */
const counted = /^(?:0|[1-9]\d{0,14})$/;

/** What the id of an event says: it is new, was seen before, comes after a later one, or ids of this agent do not tell events apart. */
export type IdVerdict = "new" | "repeated" | "late" | "unclear";

/**
 * The event ids of one task. Some agents number their events, some write a time or the same id again and again: only where
 * no id came twice in a row can a stream be resumed after one.
 */
export class EventIds {
  // Most agents count their events: what came in one run from the first is known by its ends.
  #from = 0;
  #to = -1;
  #counting = false;
  #seen = new Set<string>();
  // All at once they are forgotten, for a set that loses its oldest again and again gets slow.
  #older: ReadonlySet<string> = new Set();
  #unique = true;
  #first = true;
  #before: string | undefined;
  /** Id of the last event, whatever it is worth. */
  last: string | undefined;

  /** To resume after; undefined where that could lose or repeat events. */
  get resumable(): string | undefined {
    return this.#unique ? this.last : undefined;
  }

  /** The next id is the first of a new connection. */
  reconnected(): void {
    this.#first = true;
  }

  /** Notes the id of one event. */
  note(id: string | undefined): IdVerdict {
    const before = this.#first ? undefined : this.#before;
    this.#first = false;
    this.#before = id;
    if (id === undefined) return this.last === undefined ? "unclear" : this.#confuse();
    // Readers of event streams carry an id over to events that have none.
    if (id === before) return this.#confuse();
    if (!this.#unique) return "unclear";
    if (this.last === undefined ? this.#count(id) : this.#counting && id === String(this.#to + 1)) {
      this.#to += 1;
      this.last = id;
      return "new";
    }
    if (counted.test(id) && Number(id) >= this.#from && Number(id) <= this.#to) return "repeated";
    this.#counting = false;
    if (this.#seen.has(id) || this.#older.has(id)) return "repeated";
    this.#seen.add(id);
    if (this.#seen.size >= REMEMBERED) {
      this.#older = this.#seen;
      this.#seen = new Set();
    }
    if (number.test(id) && number.test(this.last ?? "") && Number(id) < Number(this.last)) return "late";
    this.last = id;
    return "new";
  }

  /** True where `id` is the number after `before`: nothing lies between the two. */
  static follows(id: string | undefined, before: string | undefined): boolean {
    if (id === undefined || before === undefined || !number.test(id) || !number.test(before)) return false;
    return Number(id) === Number(before) + 1;
  }

  /** Whether the first id is a number, to count from. */
  #count(id: string): boolean {
    this.#counting = counted.test(id);
    if (this.#counting) {
      this.#from = Number(id);
      this.#to = this.#from - 1;
    }
    return this.#counting;
  }

  #confuse(): "unclear" {
    this.#unique = false;
    return "unclear";
  }
}
