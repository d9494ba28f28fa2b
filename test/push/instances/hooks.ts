/** A receiver of many webhooks that watches over order and overlap: each registration has a path of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DELIVERY_ID_HEADER } from "../../../src/push/delivery-id.js";

/** What came to one path. */
export interface HookLog {
  /** Names of the deliveries as they came, repeats too. */
  readonly arrivals: string[];
  /** Requests that are open now. */
  open: number;
}

export interface Hooks extends AsyncDisposable {
  url(path: string): string;
  of(path: string): HookLog;
  /** Status of a request, by its path and the name of its delivery. */
  answer: (path: string, id: string) => number | Promise<number>;
  /** Most requests that were open at one path at the same time. */
  readonly most: number;
  /** Requests that ended without an answer. */
  readonly cut: number;
  /** Longest time that a request was open, in ms. */
  readonly longest: number;
  /** Requests in all. */
  readonly total: number;
  /** Who holds open requests, by the header in which the token came. */
  readonly openFrom: ReadonlySet<string>;
  /** Who sent anything at all. */
  readonly from: ReadonlySet<string>;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

const SENDER = "x-from-";
const senderOf = ({ headers }: IncomingMessage): string =>
  Object.keys(headers).find((name) => name.startsWith(SENDER)) ?? "";

/** The header in which an instance sends the token of a registration. */
export const senderHeader = (name: string): string => SENDER + name;

export async function startHooks(): Promise<Hooks> {
  const logs = new Map<string, HookLog>();
  const openFrom = new Map<string, number>();
  const from = new Set<string>();
  const seen = { most: 0, cut: 0, longest: 0, total: 0 };

  const of = (path: string): HookLog => {
    const log = logs.get(path) ?? { arrivals: [], open: 0 };
    logs.set(path, log);
    return log;
  };

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? "").slice(1);
    const sender = senderOf(request);
    const id = String(request.headers[DELIVERY_ID_HEADER.toLowerCase()]);
    const log = of(path);
    const began = performance.now();
    log.arrivals.push(id);
    log.open += 1;
    seen.total += 1;
    seen.most = Math.max(seen.most, log.open);
    openFrom.set(sender, (openFrom.get(sender) ?? 0) + 1);
    from.add(sender);
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      log.open -= 1;
      openFrom.set(sender, (openFrom.get(sender) ?? 0) - 1);
      seen.longest = Math.max(seen.longest, performance.now() - began);
    };
    response.on("close", () => {
      if (!over) seen.cut += 1;
      end();
    });
    request.resume().on("end", () => {
      void Promise.resolve(self.answer(path, id)).then((status) => {
        // The next request may come before this side hears that the answer is out.
        if (!response.destroyed) end();
        response.writeHead(status).end();
      });
    });
  }

  const server = createServer(receive);
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };

  const self: Hooks = {
    url: (path) => `http://127.0.0.1:${String(port)}/${path}`,
    of,
    answer: () => 204,
    get most() {
      return seen.most;
    },
    get cut() {
      return seen.cut;
    },
    get longest() {
      return seen.longest;
    },
    get total() {
      return seen.total;
    },
    get openFrom() {
      return new Set([...openFrom].filter(([, count]) => count > 0).map(([name]) => name));
    },
    from,
    down,
    up: () => listen(port),
    [Symbol.asyncDispose]: down,
  };
  return self;
}
