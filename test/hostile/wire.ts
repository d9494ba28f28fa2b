import { connect, type Socket } from "node:net";

/** What a server answered to bytes; `closed` where it hung up without a word, `silent` where nothing came in time. */
export type Reply =
  | { readonly kind: "answer"; readonly status: number; readonly type: string; readonly body: string }
  | { readonly kind: "closed" | "silent" };

const PATIENCE_MS = 10_000;

/** A connection that is kept as long as the server keeps it; bytes go out as they are. */
export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #over = false;
  #closing = false;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and reads the answer. With `last`, our side of the connection is closed behind it. */
  async send(request: Buffer, last = false): Promise<Reply> {
    const isKept = this.#socket !== undefined;
    const reply = await this.#exchange(request, last);
    // A server may close a connection that was idle just when we write to it: then a new one has to answer.
    return reply.kind === "closed" && isKept ? this.#exchange(request, last) : reply;
  }

  async #exchange(request: Buffer, last: boolean): Promise<Reply> {
    const socket = this.#open();
    if (last) socket.end(request);
    else socket.write(request);
    const isHead = request.subarray(0, 5).toString("latin1") === "HEAD ";
    const reply = await this.#read(isHead);
    if (last || this.#closing || reply.kind !== "answer" || reply.type.startsWith("text/event-stream"))
      this.close();
    return reply;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#over) return this.#socket;
    this.#socket?.destroy();
    this.#over = false;
    this.#closing = false;
    this.#bytes = Buffer.alloc(0);
    const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    const ended = (): void => {
      if (this.#socket !== socket) return;
      this.#over = true;
      this.#wake?.();
    };
    socket.on("data", (chunk: Buffer) => {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#wake?.();
    });
    socket.on("end", ended).on("close", ended).on("error", ended);
    this.#socket = socket;
    return socket;
  }

  /** Until `ready` finds what it looks for, the connection ends or patience does. */
  async #until(ready: () => boolean): Promise<boolean> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!ready()) {
      if (this.#over) return false;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = (): void => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }

  async #read(isHead: boolean): Promise<Reply> {
    let end = -1;
    const found = await this.#until(() => (end = this.#bytes.indexOf("\r\n\r\n")) >= 0);
    if (!found) return { kind: this.#over ? "closed" : "silent" };
    const head = this.#bytes.subarray(0, end).toString("latin1");
    this.#bytes = this.#bytes.subarray(end + 4);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    if (status >= 100 && status < 200) return this.#read(isHead);
    const header = (name: string): string =>
      new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
    // What is sent on a connection that the server is about to close would be lost.
    this.#closing = /^close$/i.test(header("connection"));
    const type = header("content-type");
    const length = Number(header("content-length") || "0");
    if (isHead || status === 204 || status === 304) return { kind: "answer", status, type, body: "" };
    const isStream = /chunked/i.test(header("transfer-encoding"));
    // Of a stream the first event is enough; it may go on for ever.
    const whole = await this.#until(() =>
      isStream ? this.#bytes.includes("\n\n") : this.#bytes.length >= length,
    );
    if (!whole) return { kind: this.#over ? "closed" : "silent" };
    const body = isStream ? firstChunk(this.#bytes) : this.#bytes.subarray(0, length).toString("utf8");
    this.#bytes = isStream ? Buffer.alloc(0) : this.#bytes.subarray(length);
    return { kind: "answer", status, type, body };
  }
}

const firstChunk = (bytes: Buffer): string => {
  const at = bytes.indexOf("\r\n");
  return bytes.subarray(at + 2, bytes.indexOf("\n\n") + 2).toString("utf8");
};
