import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** What a proxy does to the streams that pass it. */
export interface ProxyFaults {
  /** Bytes of the body of the next stream after which its connection breaks; undefined: it does not. */
  readonly cutAfter?: () => number | undefined;
  /** What becomes of each event, blank line included. */
  readonly rewrite?: (event: string) => string;
  /** Sees every request before it is passed on; an answer from here is all there is. */
  readonly answer?: (body: string) => { readonly status: number; readonly body: string } | undefined;
}

/** A proxy before an agent. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Methods of the requests, in order. */
  readonly calls: string[];
  /** How many streams it has broken. */
  readonly cuts: number;
  /** Streams that are open. */
  readonly open: number;
  /** Resolves once no stream is open. */
  closed(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback address. */
export async function proxy(target: string, faults: ProxyFaults = {}): Promise<Proxy> {
  const calls: string[] = [];
  const streams = new Set<Promise<unknown>>();
  let cuts = 0;
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      let body = "";
      for await (const chunk of incoming) body += String(chunk);
      // Browsers ask first whether they may, without a body.
      if (body !== "") calls.push((JSON.parse(body) as { method: string }).method);
      const own = body === "" ? undefined : faults.answer?.(body);
      if (own !== undefined) {
        outgoing.writeHead(own.status, { "content-type": "application/json" }).end(own.body);
        return;
      }
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      const passed = send(target, { method: incoming.method, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
        outgoing.flushHeaders();
        const isStream = reply.headers["content-type"]?.startsWith("text/event-stream") === true;
        if (isStream) {
          const done = once(outgoing, "close");
          streams.add(done);
          void done.then(() => streams.delete(done));
        }
        let left = (isStream ? faults.cutAfter?.() : undefined) ?? Infinity;
        let held = "";
        reply.on("data", (chunk: Buffer) => {
          let bytes = chunk;
          if (isStream && faults.rewrite) {
            const events = (held + chunk.toString()).split("\n\n");
            held = events.pop() ?? "";
            bytes = Buffer.from(events.map((event) => faults.rewrite?.(`${event}\n\n`) ?? "").join(""));
          }
          if (bytes.length >= left) {
            cuts += 1;
            reply.destroy();
            // The bytes before the cut are on their way when the connection goes.
            outgoing.write(bytes.subarray(0, left), () => outgoing.destroy());
            left = Infinity;
            reply.removeAllListeners("data");
            return;
          }
          left -= bytes.length;
          outgoing.write(bytes);
        });
        reply.on("end", () => outgoing.end());
        reply.on("error", () => outgoing.destroy());
        outgoing.on("close", () => passed.destroy());
      });
      passed.on("error", () => outgoing.destroy());
      passed.end(body);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    calls,
    get cuts() {
      return cuts;
    },
    get open() {
      return streams.size;
    },
    async closed() {
      while (streams.size > 0) await Promise.all(streams);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The card of an agent that is reached through a proxy, by JSON-RPC of one version. */
export function through(card: object, url: string, protocolVersion = "1.0"): object {
  return { ...card, supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion }] };
}

/** Random numbers that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
