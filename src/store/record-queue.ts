import type { TaskRecord } from "./task-record.js";

/** First in, first out; taking costs no shifting. */
export class RecordQueue {
  #records: (TaskRecord | undefined)[] = [];
  #from = 0;

  get length(): number {
    return this.#records.length - this.#from;
  }

  get first(): TaskRecord | undefined {
    return this.#records[this.#from];
  }

  push(record: TaskRecord): void {
    this.#records.push(record);
  }

  shift(): TaskRecord | undefined {
    const record = this.#records[this.#from];
    if (record === undefined) return undefined;
    this.#records[this.#from] = undefined;
    this.#from += 1;
    if (this.#from > 1_024 && this.#from > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#from);
      this.#from = 0;
    }
    return record;
  }
}
