import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small disk that can be filled up. */
export interface SmallDisk extends Disposable {
  readonly dir: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  clear(): void;
}

/** Whether disks can be made here. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    smallDisk(64 * 1024)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** A disk of so many bytes, in memory. */
export function smallDisk(size: number): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), "a2a-disk-"));
  const ballast = join(dir, "ballast");
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${String(size)}`, "tmpfs", dir], { stdio: "ignore" });
  } catch (error) {
    rmSync(dir, { recursive: true });
    throw error;
  }
  const unmount = (): void => {
    execFileSync("umount", ["-l", dir]);
    rmSync(dir, { recursive: true });
  };
  process.once("exit", unmount);
  return {
    dir,
    fill() {
      const file = openSync(ballast, "a");
      try {
        for (const block = Buffer.alloc(4_096); ;) writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    clear() {
      rmSync(ballast, { force: true });
    },
    [Symbol.dispose]() {
      process.off("exit", unmount);
      unmount();
    },
  };
}
