/** A receiver of many webhooks that watches over order and overlap: each registration has a path of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
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
  /** Status of a request, by its path, the name of its delivery, and whether its sender has gone since. */
  answer: (path: string, id: string, isGone: () => boolean) => number | Promise<number>;
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
  /** Connections that were refused because it is `down`. */
  readonly refused: number;
  /** Ends connections without a word, old and new. */
  down: boolean;
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
  const seen = { most: 0, cut: 0, longest: 0, total: 0, refused: 0 };
  let isDown = false;

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
    const cut = (): void => {
      if (over) return;
      seen.cut += 1;
      end();
    };
    // The connection closes a little later than this side hears its end, and the next request may come in between.
    request.socket.once("end", cut);
    response.on("close", () => {
      request.socket.off("end", cut);
      cut();
    });
    request.resume().on("end", () => {
      void Promise.resolve(self.answer(path, id, () => over)).then((status) => {
        // The next request may come before this side hears that the answer is out.
        if (!response.destroyed) end();
        response.writeHead(status).end();
      });
    });
  }

  const server = createServer(receive).on("connection", (socket: Socket) => {
    if (!isDown) return;
    seen.refused += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

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
    get refused() {
      return seen.refused;
    },
    get openFrom() {
      return new Set([...openFrom].filter(([, count]) => count > 0).map(([name]) => name));
    },
    from,
    get down() {
      return isDown;
    },
    set down(down) {
      isDown = down;
      if (down) server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
