/** A webhook receiver on loopback that answers as it is told and keeps what it got. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, with headers where needed; `hang` never answers, `endless` never ends, `cut` ends the connection. */
export type Answer =
  number | { readonly status: number; readonly headers: Record<string, string> } | "hang" | "endless" | "cut";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: Received[];
  /** Most requests that were open at the same time. */
  readonly most: number;
  /** Answers in turn; the last one stays. A function is asked with each request. */
  answers: readonly Answer[] | ((request: Received) => Answer | Promise<Answer>);
  /** Resolves when that many requests have arrived in all. */
  arrived(count: number): Promise<void>;
  /** Bodies of all requests, parsed. */
  readonly bodies: unknown[];
}

export async function receiver(...answers: Answer[]): Promise<Receiver> {
  const requests: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let open = 0;
  let most = 0;

  const answer = async (request: Received, response: ServerResponse): Promise<void> => {
    const { answers: script } = self;
    const given =
      typeof script === "function"
        ? await script(request)
        : (script[Math.min(requests.length, script.length) - 1] ?? 200);
    if (given === "hang") return;
    if (given === "cut") {
      response.destroy();
      return;
    }
    if (given === "endless") {
      response.writeHead(200).write("x");
      return;
    }
    const { status, headers } = typeof given === "number" ? { status: given, headers: {} } : given;
    open -= 1;
    response.writeHead(status, headers).end();
  };

  const server: Server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      };
      requests.push(received);
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
      void answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const self: Receiver = {
    url: `http://127.0.0.1:${String(port)}/hook`,
    port,
    requests,
    answers,
    get most() {
      return most;
    },
    get bodies() {
      return requests.map(({ body }): unknown => JSON.parse(body));
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
