// PostgreSQL, Redis, nginx and three processes of one agent, until Ctrl-C: npx tsx examples/cluster/start.ts
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "a2a-typed/postgres";
import { running, startChild, type Child } from "./child.js";
import { findPrograms, freePort, startNginx, startPostgres, startRedis } from "./servers.js";

/** What try.ts needs to know of a running cluster. */
export interface Cluster {
  /** The balancer. */
  readonly url: string;
  readonly instances: readonly { readonly name: string; readonly port: number; readonly pid: number }[];
}

const NAMES = ["a", "b", "c"];
let stopping = false;

async function start(folder: string): Promise<Cluster> {
  const programs = findPrograms();
  const own = async (server: Promise<{ child: Child; url: string }>): Promise<string> => {
    const { child, url } = await server;
    report(child);
    return url;
  };
  const [store, bus] = await Promise.all([
    own(startPostgres(programs.postgres, join(folder, "postgres"))),
    own(startRedis(programs.redis, join(folder, "redis"))),
  ]);
  // As `a2a-typed store migrate postgres://…` does.
  await (await postgresStore({ url: store })).close?.();

  const port = Number(process.env["PORT"]) || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const instances = await Promise.all(
    NAMES.map(async (name) => {
      const child = await startChild({
        name,
        command: process.execPath,
        args: [...process.execArgv, new URL("agent.ts", import.meta.url).pathname],
        echo: true,
        env: { INSTANCE: name, PORT: "0", URL: url, STORE: store, BUS: bus, LEASE_MS: "3000" },
      });
      const [, own = ""] = await child.printed(/listens on port (\d+)/);
      report(child);
      return { name, port: Number(own), pid: child.pid };
    }),
  );
  const ports = instances.map((instance) => instance.port);
  await own(startNginx(programs.nginx, join(folder, "nginx"), port, ports));
  return { url, instances };
}

/** Says so when one ends that was not to end. */
function report({ name, gone }: Child): void {
  void gone.then((how) => {
    if (!stopping) console.log(`${name} ended (${how})`);
  });
}

/** The balancer first, then all instances at once, then what they need. */
async function stop(): Promise<void> {
  stopping = true;
  const all = [...running];
  const stopped = (...names: string[]) =>
    Promise.all(all.filter(({ name }) => names.includes(name)).map((child) => child.stop()));
  await stopped("nginx");
  await stopped(...NAMES);
  await stopped("redis", "postgres");
}

const folder = mkdtempSync(join(tmpdir(), "a2a-cluster-"));
// Workers of nginx and PostgreSQL run as users of their own.
chmodSync(folder, 0o755);
process.once("exit", () => {
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true, force: true });
});
const ended = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
});
try {
  const cluster = await Promise.race([start(folder), ended]);
  if (cluster) {
    const file = join(folder, "cluster.json");
    writeFileSync(file, JSON.stringify(cluster, undefined, 2));
    for (const { name, port, pid } of cluster.instances) console.log(`${name}: port ${port}, process ${pid}`);
    console.log(`the agent is at ${cluster.url}`);
    console.log(`try it: npx tsx examples/cluster/try.ts ${file}`);
    await ended;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await stop();
process.exit();
