import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { startService, type Service } from "./service.js";

/** Debian's place of the server; undefined where it is not installed. */
export function redisBin(): string | undefined {
  return ["/usr/bin/redis-server", "/usr/bin/valkey-server"].find((path) => existsSync(path));
}

/** Redis on a free loopback port; it keeps nothing over a restart. */
export async function startRedis(): Promise<Service> {
  const command = redisBin();
  if (command === undefined) throw new Error("Redis is missing: apt-get install redis-server");
  const data = mkdtempSync(join(tmpdir(), "a2a-redis-"));
  const port = await freePort();
  return startService({
    url: `redis://127.0.0.1:${String(port)}`,
    port,
    command,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--dir", data, "--save", "", "--appendonly", "no"],
    stopSignal: "SIGTERM",
    remove: () => {
      rmSync(data, { recursive: true, force: true });
    },
  });
}
