/** What is kept in an `IdTable`. It is in one at most. */
export interface Identified<T> {
  readonly id: string;
  /** For the table: the next one in its chain. */
  nextById: T | undefined;
}

/** Characters at the end of an id that are looked at: the random ones. */
const TAIL = 12;
const FIRST_SIZE = 8;

/**
 * Things by an id that is made here, so that nobody can choose ids that meet in one chain. Not a `Map`: one that things come
 * and go in is copied again and again, and each copy that is thrown away keeps all later ones, with what they hold, from being
 * collected as garbage while they are young. It also takes two to four times the memory.
 */
export class IdTable<T extends Identified<T>> {
  #chains: (T | undefined)[] = new Array<T | undefined>(FIRST_SIZE).fill(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): T | undefined {
    let one = this.#chains[this.#placeOf(id)];
    while (one !== undefined && one.id !== id) one = one.nextById;
    return one;
  }

  /** Whether this object is the one that is kept under its id. */
  has(one: T): boolean {
    return this.get(one.id) === one;
  }

  /** Takes the place of another one of the same id. */
  add(one: T): void {
    const other = this.get(one.id);
    if (other === one) return;
    if (other !== undefined) this.delete(other);
    if (this.#size >= 2 * this.#chains.length) this.#grow();
    this.#link(one);
    this.#size += 1;
  }

  /** Takes out this object, unless another one has its id. */
  delete(one: T): void {
    const place = this.#placeOf(one.id);
    let before: T | undefined;
    let found = this.#chains[place];
    while (found !== undefined && found !== one) {
      before = found;
      found = found.nextById;
    }
    if (found === undefined) return;
    if (before === undefined) this.#chains[place] = one.nextById;
    else before.nextById = one.nextById;
    one.nextById = undefined;
    this.#size -= 1;
  }

  /** All of them, as they are now. */
  all(): T[] {
    const all: T[] = [];
    for (const first of this.#chains)
      for (let one = first; one !== undefined; one = one.nextById) all.push(one);
    return all;
  }

  #link(one: T): void {
    const place = this.#placeOf(one.id);
    one.nextById = this.#chains[place];
    this.#chains[place] = one;
  }

  #grow(): void {
    const all = this.all();
    this.#chains = new Array<T | undefined>(this.#chains.length * 2).fill(undefined);
    for (const one of all) this.#link(one);
  }

  #placeOf(id: string): number {
    let hash = 0;
    for (let i = Math.max(0, id.length - TAIL); i < id.length; i += 1)
      hash = (hash * 31 + id.charCodeAt(i)) | 0;
    // The length is a power of two.
    return hash & (this.#chains.length - 1);
  }
}
