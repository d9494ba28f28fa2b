/** Many subscribers in a process of their own: bare sockets that look only at the id of the last event that came. */
import { connect, type Socket } from "node:net";

/** What the bench asks of it. */
export type CrowdAsk =
  /** So many sockets send this request; answered when each has its first event. */
  | { readonly open: number; readonly port: number; readonly request: string }
  /** Answered when all have had the event of this id. */
  | { readonly id: number };

interface Subscriber {
  readonly socket: Socket;
  id: number;
}

/** Connections that are being made at a time: the queue of a listening socket is short. */
const AT_ONCE = 200;
/** More bytes than an id line and what stands around it: one that is cut in two is seen with the next piece. */
const OVERLAP = 32;

const subscribers: Subscriber[] = [];
let wanted = Infinity;
let missing = 0;

function subscribe(port: number, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const subscriber = { socket, id: 0 };
    subscribers.push(subscriber);
    let end = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      const all = end + text;
      const at = all.lastIndexOf("\nid: ");
      const id = at < 0 ? undefined : /^\nid: (\d+)\n/.exec(all.slice(at, at + OVERLAP))?.[1];
      end = at >= 0 && id === undefined ? all.slice(at) : all.slice(-OVERLAP);
      if (id === undefined) return;
      if (subscriber.id === 0) resolve();
      const before = subscriber.id;
      subscriber.id = Number(id);
      if (before < wanted && subscriber.id >= wanted && --missing === 0) process.send?.("seen");
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server has cut a subscriber")));
    socket.write(request);
  });
}

process.on("disconnect", () => process.exit(0));
process.on("message", (ask: CrowdAsk) => {
  void (async () => {
    if ("open" in ask) {
      for (let left = ask.open; left > 0; left -= AT_ONCE) {
        const some = Array.from({ length: Math.min(left, AT_ONCE) });
        await Promise.all(some.map(() => subscribe(ask.port, ask.request)));
      }
      process.send?.("open");
      return;
    }
    wanted = ask.id;
    missing = subscribers.filter(({ id }) => id < wanted).length;
    if (missing === 0) process.send?.("seen");
  })();
});
process.send?.("ready");
