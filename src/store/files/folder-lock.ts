import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { A2AError } from "../../errors.js";
import { readIfThere } from "./task-file.js";

/** Folders that a store of this process has open. */
const held = new Set<string>();

/**
 * Makes a folder one's own until the result is called. Throws `CONFIG` where a living process has it; what a dead one left is
 * taken over.
 */
export function lockFolder(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(dir);
  const lock = join(folder, "lock");
  if (held.has(folder)) throw inUse(folder, process.pid);
  const draft = join(folder, `lock.${String(process.pid)}.tmp`);
  writeFileSync(draft, identity(process.pid), { mode: 0o600 });
  try {
    for (let tries = 0; !linked(draft, lock); tries += 1) takeOver(folder, lock, tries);
  } finally {
    rmSync(draft, { force: true });
  }
  held.add(folder);
  return () => {
    if (held.delete(folder)) rmSync(lock, { force: true });
  };
}

/** Removes the lock of a dead process; throws where its process lives. */
function takeOver(folder: string, lock: string, tries: number): void {
  const owner = readIfThere(lock);
  if (owner === undefined) return;
  const pid = Number.parseInt(owner, 10);
  // A process that does not hold it may well have the pid of the one that did: in a container it always has.
  const lives = pid !== process.pid && isAlive(pid) && identity(pid) === owner;
  if (lives || tries > 3) throw inUse(folder, pid);
  // Whoever comes first moves it away; what was moved must be what was looked at.
  const stale = `${lock}.${String(process.pid)}.stale`;
  try {
    renameSync(lock, stale);
  } catch {
    return;
  }
  if (readIfThere(stale) !== owner) linked(stale, lock);
  rmSync(stale, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A pid, and where the system tells it when its process began: pids are used again. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    return `${String(pid)} ${began}`;
  } catch {
    return String(pid);
  }
}

const inUse = (folder: string, pid: number): A2AError =>
  new A2AError(
    "CONFIG",
    `store: ${folder} is in use by process ${String(pid)}; a folder belongs to one process: stop it, use another folder, or use "sqlite:FILE" or PostgreSQL for several`,
  );
