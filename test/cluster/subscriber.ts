import { request, type ClientRequest } from "node:http";
import { isTerminal } from "../../src/task/states.js";
import { gate } from "../server/agents.js";
import type { StreamResponse } from "../../src/versions/pivot.js";

/** An event as it came over the wire. */
export interface Frame {
  /** Its id. */
  readonly n: number;
  readonly event: StreamResponse;
  /** When it was read, in ms since the epoch. */
  readonly read: number;
}

/** Reads the stream of one task with nothing between it and the socket. */
export class Subscriber {
  readonly frames: Frame[] = [];
  /** Streams it took; more than one where it went on elsewhere. */
  streams = 0;
  /** What was wrong, if anything was. */
  problem: string | undefined;
  #request: ClientRequest | undefined;
  #hop: { readonly at: number; readonly port: number } | undefined;
  #port: number;
  readonly #id: string;
  readonly #ended = gate();
  readonly #began = gate();
  readonly #hopped = gate();

  constructor(port: number, taskId: string) {
    this.#port = port;
    this.#id = taskId;
  }

  /** Leaves after event `at`, to go on at another port; resolves when it does. */
  hop(at: number, port: number): Promise<void> {
    this.#hop = { at, port };
    return this.#hopped.passed;
  }

  /** Resolves with the first event. */
  open(): Promise<void> {
    this.#open();
    return this.#began.passed;
  }

  /** Resolves after the last event, or with a problem. */
  get ended(): Promise<void> {
    return this.#ended.passed;
  }

  #open(): void {
    this.streams++;
    const last = this.frames.at(-1)?.n;
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "SubscribeToTask",
      params: { id: this.#id },
    });
    const headers = {
      "content-type": "application/json",
      accept: "text/event-stream",
      "a2a-version": "1.0",
      ...(last !== undefined && { "last-event-id": String(last) }),
    };
    const own = request({ port: this.#port, host: "127.0.0.1", method: "POST", headers, agent: false });
    this.#request = own;
    let text = "";
    own.on("response", (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const read = performance.timeOrigin + performance.now();
        text += chunk;
        for (let end = text.indexOf("\n\n"); end >= 0 && own === this.#request; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          this.#take(block, read);
        }
      });
      response.on("end", () => {
        if (own === this.#request) this.#fail(`the stream ended: ${text}`);
      });
      response.on("error", () => undefined);
    });
    own.on("error", (error) => {
      if (own === this.#request) this.#fail(error.message);
    });
    own.end(body);
  }

  #take(block: string, read: number): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return;
    const { result: event } = JSON.parse(data) as { readonly result?: StreamResponse };
    if (event === undefined) {
      this.#fail(data);
      return;
    }
    const n = Number(/^id: (\d+)$/m.exec(block)?.[1]);
    this.frames.push({ n, event, read });
    this.#began.open();
    const state = (event.task ?? event.statusUpdate)?.status.state;
    if (state !== undefined && isTerminal(state)) this.#end();
    else if (this.#hop !== undefined && n >= this.#hop.at) {
      this.#port = this.#hop.port;
      this.#hop = undefined;
      this.#hopped.open();
      const before = this.#request;
      this.#open();
      before?.destroy();
    }
  }

  #fail(problem: string): void {
    this.problem = problem;
    this.#end();
  }

  #end(): void {
    const before = this.#request;
    this.#request = undefined;
    before?.destroy();
    for (const one of [this.#began, this.#hopped, this.#ended]) one.open();
  }
}
