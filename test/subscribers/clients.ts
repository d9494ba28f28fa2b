/** Many subscribers in one process: bare sockets that count the events they get. */
import { connect, type Socket } from "node:net";
import { answer, type ClientAsk } from "./protocol.js";

interface Subscriber {
  readonly socket: Socket;
  events: number;
}

const subscribers: Subscriber[] = [];
/** Connections that are being made at a time: the queue of a listening socket is short. */
const AT_ONCE = 200;

/** Resolves with the first event. */
const subscribe = (port: number, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const subscriber = { socket, events: 0 };
    subscribers.push(subscriber);
    socket.setEncoding("latin1").on("data", (text: string) => {
      for (let at = text.indexOf("data:"); at >= 0; at = text.indexOf("data:", at + 5)) subscriber.events++;
      if (subscriber.events > 0) resolve();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      if (subscriber.events === 0) reject(new Error("refused"));
    });
    socket.write(request);
  });

/** Subscribers that had that many events, once that are all of them. */
async function allSeen(wanted: number): Promise<number> {
  for (;;) {
    const behind = subscribers.find(({ socket, events }) => events < wanted && !socket.destroyed);
    if (behind === undefined) return subscribers.filter(({ events }) => events >= wanted).length;
    await new Promise((resolve) => behind.socket.once("data", resolve).once("close", resolve));
  }
}

answer<ClientAsk>(async (question) => {
  switch (question.ask) {
    case "open": {
      for (let left = question.count; left > 0; left -= AT_ONCE) {
        const some = Array.from({ length: Math.min(left, AT_ONCE) });
        await Promise.all(some.map(() => subscribe(question.port, question.request)));
      }
      return subscribers.length;
    }
    case "seen":
      return allSeen(question.events);
    case "close": {
      await Promise.all(
        subscribers.map(({ socket }) => new Promise((resolve) => socket.once("close", resolve).destroy())),
      );
      return subscribers.splice(0).length;
    }
  }
});
