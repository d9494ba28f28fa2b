import { fork } from "node:child_process";
import { once } from "node:events";

/** The server under attack, in its own process. */
export interface Target {
  readonly port: number;
  readonly grpcPort: number;
  readonly died: boolean;
  /** Bytes of its heap after collection; what it logged since the last time is in `logged`. */
  heap(): Promise<{ readonly bytes: number; readonly logged: readonly string[] }>;
  /** Sends a good request and gives its task; undefined where it was not answered as it should be. */
  good(text: string): Promise<string | undefined>;
  /** Tasks that the store holds for anonymous callers. */
  stored(): Promise<number>;
  stop(): void;
}

interface Told {
  readonly port?: number;
  readonly grpcPort?: number;
  readonly heap?: number;
  readonly logged?: readonly string[];
}

/** Starts the server. */
export async function startTarget(): Promise<Target> {
  const child = fork(new URL("server.ts", import.meta.url), { execArgv: ["--expose-gc", "--import", "tsx"] });
  const told = async (): Promise<Told> => ((await once(child, "message")) as [Told])[0];
  let died = false;
  child.on("exit", () => (died = true));
  const { port = 0, grpcPort = 0 } = await told();
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    port,
    grpcPort,
    get died() {
      return died;
    },
    async heap() {
      child.send("heap");
      const { heap = 0, logged = [] } = await told();
      return { bytes: heap, logged };
    },
    async good(text) {
      const message = { messageId: "good", role: "ROLE_USER", parts: [{ text }] };
      const reply = await fetch(`${url}/message:send`, {
        method: "POST",
        headers: { "a2a-version": "1.0", "content-type": "application/json" },
        body: JSON.stringify({ message }),
      });
      const { task } = (await reply.json()) as { task?: { id: string } };
      return reply.status === 200 ? task?.id : undefined;
    },
    async stored() {
      const reply = await fetch(`${url}/tasks?pageSize=1`, { headers: { "a2a-version": "1.0" } });
      return ((await reply.json()) as { totalSize: number }).totalSize;
    },
    stop() {
      child.disconnect();
    },
  };
}
