import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { bundled } from "./bundled.js";
import type { Place } from "./start-instance.js";

/** What becomes of a claimed delivery: it is acknowledged, put off, or left until its claim has run out. */
export type Fate = "done" | "later" | "leave";

/** A claimed delivery, from the moment the store had answered until the moment before the store was told. */
export interface Held {
  /** Names the registration. */
  readonly key: string;
  readonly n: number;
  readonly attempts: number;
  readonly fate: Fate;
  /** Microseconds by a clock that all processes share. */
  readonly from: number;
  readonly to: number;
  /** When it was claimed, and until when, in milliseconds since the epoch. */
  readonly now: number;
  readonly until: number;
}

/** What a racer does in turn: how much it claims, and what becomes of it. */
export interface RaceOrders {
  readonly limits: readonly number[];
  readonly fates: readonly Fate[];
}

/** Tells a racer to claim what there is, of tasks with this prefix alone, until it is to stop. */
export type RaceOrder =
  { readonly order: "stop" } | ({ readonly order: "race"; readonly prefix: string } & RaceOrders);

/** What a racer says. */
export type RaceReport = { readonly ready: true } | { readonly done: number } | { readonly held: Held[] };

/** Processes that claim from one store at the same time. */
export interface Racers extends AsyncDisposable {
  /** Lets them all claim until so many deliveries are acknowledged; gives what each held. */
  race(prefix: string, orders: readonly RaceOrders[], deliveries: number): Promise<Held[]>;
}

export async function startRacers(place: Place, count: number): Promise<Racers> {
  const main = await bundled("racer");
  const children = Array.from({ length: count }, (_, i) =>
    fork(main, [JSON.stringify(place), `racer ${String(i)}`], { execArgv: [] }),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  return {
    async race(prefix, orders, deliveries) {
      let left = deliveries;
      const stopIfDone = (done: number): void => {
        left -= done;
        if (left <= 0) for (const child of children) tell(child, { order: "stop" });
      };
      const held = children.map(
        (child, i) =>
          new Promise<Held[]>((resolve, reject) => {
            const failed = (code: unknown): void => {
              reject(new Error(`a racer ended with ${String(code)}`));
            };
            const hear = (report: RaceReport): void => {
              if ("done" in report) stopIfDone(report.done);
              if (!("held" in report)) return;
              child.off("message", hear).off("exit", failed);
              resolve(report.held);
            };
            child.on("message", hear).once("exit", failed);
            tell(child, { order: "race", prefix, ...(orders[i] ?? { limits: [1], fates: ["done"] }) });
          }),
      );
      return (await Promise.all(held)).flat();
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        const closed = once(child, "exit");
        child.kill("SIGKILL");
        await closed;
      }
    },
  };
}

const tell = (child: ChildProcess, order: RaceOrder): void => {
  child.send(order);
};
