import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { deliveryOf, type Delivery } from "./delivery.js";

/** A receiver of push notifications for every program. */
export interface Webhooks {
  /** A fresh address: POST delivers; GET answers with the delivery of a finished task, waiting for it. */
  url(): string;
  close(): Promise<void>;
}

const waitMs = 10_000;

/** Listens on a free port of this machine. */
export async function openWebhooks(): Promise<Webhooks> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    const box = boxes.get(request.url ?? "");
    if (!box) return response.writeHead(404).end();
    if (request.method === "POST")
      return void body(request).then((text) => {
        box.put(deliveryOf(text, request.headers));
        response.writeHead(204).end();
      });
    return void box.finished().then((delivery) => response.end(JSON.stringify(delivery)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let made = 0;
  return {
    url() {
      const path = `/hook-${++made}`;
      boxes.set(path, createBox());
      return `http://127.0.0.1:${port}${path}`;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Box {
  put(delivery: Delivery): void;
  finished(): Promise<Delivery>;
}

function createBox(): Box {
  let last: Delivery = { delivered: "nothing", form: "", token: "" };
  let done = false;
  const waiting = new Set<() => void>();
  return {
    put(delivery) {
      if (done) return;
      last = delivery;
      done = delivery.delivered === "completed";
      if (done) for (const wake of waiting) wake();
    },
    async finished() {
      if (!done)
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          setTimeout(resolve, waitMs).unref();
        });
      return last;
    },
  };
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
