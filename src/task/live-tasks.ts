import type { LiveTask } from "./live-task.js";

/** Characters at the end of an id that are looked at: the random ones. */
const TAIL = 12;
const FIRST_SIZE = 64;

/**
 * The tasks that live in a process, by id. Not a `Map`: one that things come and go in is copied again and again, and each
 * copy that is thrown away keeps all later ones, with what they hold, from being collected as garbage while they are young.
 */
export class LiveTasks {
  #chains: (LiveTask | undefined)[] = new Array<LiveTask | undefined>(FIRST_SIZE).fill(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): LiveTask | undefined {
    let live = this.#chains[this.#placeOf(id)];
    while (live !== undefined && live.id !== id) live = live.nextLive;
    return live;
  }

  /** Whether this object is the one that is kept under its id. */
  has(live: LiveTask): boolean {
    return this.get(live.id) === live;
  }

  /** Takes the place of another one of the same id. */
  add(live: LiveTask): void {
    const other = this.get(live.id);
    if (other === live) return;
    if (other !== undefined) this.delete(other);
    if (this.#size >= 2 * this.#chains.length) this.#grow();
    this.#link(live);
    this.#size += 1;
  }

  /** Takes out this object, unless another one has its id. */
  delete(live: LiveTask): void {
    const place = this.#placeOf(live.id);
    let before: LiveTask | undefined;
    let one = this.#chains[place];
    while (one !== undefined && one !== live) {
      before = one;
      one = one.nextLive;
    }
    if (one === undefined) return;
    if (before === undefined) this.#chains[place] = live.nextLive;
    else before.nextLive = live.nextLive;
    live.nextLive = undefined;
    this.#size -= 1;
  }

  /** All of them, as they are now. */
  all(): LiveTask[] {
    const all: LiveTask[] = [];
    for (const first of this.#chains)
      for (let live = first; live !== undefined; live = live.nextLive) all.push(live);
    return all;
  }

  #link(live: LiveTask): void {
    const place = this.#placeOf(live.id);
    live.nextLive = this.#chains[place];
    this.#chains[place] = live;
  }

  #grow(): void {
    const all = this.all();
    this.#chains = new Array<LiveTask | undefined>(this.#chains.length * 2).fill(undefined);
    for (const live of all) this.#link(live);
  }

  #placeOf(id: string): number {
    let hash = 0;
    for (let i = Math.max(0, id.length - TAIL); i < id.length; i += 1)
      hash = (hash * 31 + id.charCodeAt(i)) | 0;
    // The length is a power of two.
    return hash & (this.#chains.length - 1);
  }
}
