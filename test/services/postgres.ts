import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { startService, type Service } from "./service.js";

const ROOT = "/usr/lib/postgresql";

/** Folder of the server's binaries (Debian's place, the newest version); undefined where it is not installed. */
export function postgresBin(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  const versions = readdirSync(ROOT).map(Number).filter(Number.isInteger);
  return versions
    .sort((a, b) => b - a)
    .map((version) => join(ROOT, String(version), "bin"))
    .find((bin) => existsSync(join(bin, "postgres")));
}

/**
 * PostgreSQL with data of its own on a free loopback port; the user `a2a` needs no password, data is synced as usual.
 * The default collation is not the order of bytes, so that who needs that order must say so.
 */
export async function startPostgres(): Promise<Service> {
  const bin = postgresBin();
  if (bin === undefined) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  const data = mkdtempSync(join(tmpdir(), "a2a-postgres-"));
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "a2a", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"].concat([
      "--locale=C.UTF-8",
      "--locale-provider=icu",
      "--icu-locale=en",
    ]),
    { ...user, cwd: "/", stdio: ["ignore", "ignore", "inherit"] },
  );
  const port = await freePort();
  return startService({
    url: `postgres://a2a@127.0.0.1:${String(port)}/postgres`,
    port,
    command: join(bin, "postgres"),
    args: ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-k", data],
    user,
    // A fast shutdown: open connections do not hold it up.
    stopSignal: "SIGINT",
    remove: () => {
      rmSync(data, { recursive: true, force: true });
    },
  });
}

/** The server refuses to run as root. */
function postgresUser(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
