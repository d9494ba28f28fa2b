import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startChild, type Child } from "./child.js";

/** A server, and where it is. */
export interface Server {
  readonly child: Child;
  readonly url: string;
}

const READY = /ready to accept connections/i;
const PATIENCE_MS = 10_000;

/** Debian's places of the programs; throws with the package to install where one is missing. */
export function findPrograms(): {
  readonly postgres: string;
  readonly redis: string;
  readonly nginx: string;
} {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Number.isInteger) : [];
  const folders = versions.sort((a, b) => b - a).map((version) => join(root, String(version), "bin"));
  const places = {
    postgresql: folders.map((folder) => join(folder, "postgres")),
    "redis-server": ["/usr/bin/redis-server", "/usr/bin/valkey-server"],
    nginx: ["/usr/sbin/nginx", "/usr/bin/nginx"],
  };
  const missing: string[] = [];
  const find = (name: keyof typeof places): string => {
    const path = places[name].find((one) => existsSync(one));
    if (path === undefined) missing.push(name);
    return path ?? "";
  };
  const found = { postgres: find("postgresql"), redis: find("redis-server"), nginx: find("nginx") };
  if (missing.length === 0) return found;
  throw new Error(`missing: ${missing.join(", ")}. On Debian: apt-get install ${missing.join(" ")}`);
}

/** PostgreSQL with new data in `folder`; the user `a2a` needs no password. */
export async function startPostgres(postgres: string, folder: string): Promise<Server> {
  mkdirSync(folder, { mode: 0o700 });
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : undefined;
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const initdb = join(postgres, "../initdb");
  const made = ["-D", folder, "-U", "a2a", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"];
  execFileSync(initdb, made, { ...user, cwd: "/", stdio: ["ignore", "ignore", "inherit"] });
  const port = String(await freePort());
  const child = await startChild({
    name: "postgres",
    command: postgres,
    args: ["-D", folder, "-p", port, "-c", "listen_addresses=127.0.0.1", "-k", folder],
    env: { LC_ALL: "C" },
    user,
    // It waits for no connection then.
    signal: "SIGINT",
  });
  await child.printed(READY);
  return { child, url: `postgres://a2a@127.0.0.1:${port}/postgres` };
}

/** Redis that keeps nothing on disk. */
export async function startRedis(redis: string, folder: string): Promise<Server> {
  mkdirSync(folder);
  const port = String(await freePort());
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
  const child = await startChild({ name: "redis", command: redis, args });
  await child.printed(READY);
  return { child, url: `redis://127.0.0.1:${port}` };
}

/** nginx before instances on these ports, with the settings of nginx.conf. */
export async function startNginx(
  nginx: string,
  folder: string,
  port: number,
  instances: readonly number[],
): Promise<Server> {
  mkdirSync(folder);
  const values: Readonly<Record<string, string>> = {
    LISTEN: `127.0.0.1:${port}`,
    SERVERS: instances.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join(" "),
  };
  const template = readFileSync(new URL("nginx.conf", import.meta.url), "utf8");
  const site = template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/${name};\n`)
    .join("");
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `worker_processes 2;\npid ${folder}/pid;\nevents { worker_connections 1024; }\n` +
      `http {\n  access_log off;\n${temporary}\n${site}}\n`,
  );
  const args = ["-p", folder, "-c", config, "-e", "stderr", "-g", "daemon off;"];
  const child = await startChild({ name: "nginx", command: nginx, args });
  // It says nothing when it is ready.
  const ended = child.printed(/ \[emerg\] .*/).then(([why]) => Promise.reject(new Error(`nginx: ${why}`)));
  await Promise.race([listening(port), ended]);
  return { child, url: `http://127.0.0.1:${port}` };
}

/** A port of this machine that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function listening(port: number): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(20);
    } finally {
      socket.destroy();
    }
  }
}

const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
