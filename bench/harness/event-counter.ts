/** Counts blank lines between events without parsing them. */
export class EventCounter {
  #events = 0;
  #last = "";

  get events(): number {
    return this.#events;
  }

  add(text: string): void {
    const all = this.#last + text;
    for (let at = all.indexOf("\n\n"); at >= 0; at = all.indexOf("\n\n", at + 2)) this.#events++;
    this.#last = all.endsWith("\n\n") ? "" : all.slice(-1);
  }
}
