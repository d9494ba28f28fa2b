import { fork } from "node:child_process";
import { once } from "node:events";
import type { CrowdAsk } from "../servers/crowd.js";
import { bundleOf } from "./build-servers.js";
import type { BenchRequest } from "./requests.js";
import type { ServerProcess } from "./server-process.js";

/** Many subscribers of one task, in a process of their own. */
export interface Crowd {
  /** Resolves when all have had the event of this id. */
  seen(id: number): Promise<void>;
  stop(): Promise<void>;
}

/** Opens so many connections that send one request each. */
export async function openCrowd(server: ServerProcess, sent: BenchRequest, size: number): Promise<Crowd> {
  const child = fork(bundleOf("crowd"), { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const gone = once(child, "exit").then(() => {
    throw new Error("the subscribers' process has ended");
  });
  gone.catch(() => undefined);
  const ask = async (question: CrowdAsk): Promise<void> => {
    const answer = once(child, "message");
    child.send(question);
    await Promise.race([answer, gone]);
  };
  await Promise.race([once(child, "message"), gone]);
  await ask({ open: size, port: server.port, request: textOf(sent) });
  return {
    seen: (id) => ask({ id }),
    stop: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

const textOf = ({ method, path, headers, body = "" }: BenchRequest): string => {
  const all = Object.entries({
    host: "bench",
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
  });
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
};
