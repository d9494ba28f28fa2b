import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of a Chromium; undefined without one, with a line that says how to get what is skipped then. */
export function findBrowser(skipped: string): string | undefined {
  const path = [process.env["A2A_TEST_CHROMIUM"], ...PLACES].find((place) => place && existsSync(place));
  if (path === undefined)
    console.log(
      `skipped: ${skipped} needs Chromium; run: apt-get install --no-install-recommends chromium, or set A2A_TEST_CHROMIUM`,
    );
  return path;
}

/** A browser that shows a page to nobody. */
export interface Browser extends AsyncDisposable {
  /** Rejects with what the browser said when it ends by itself. */
  readonly failed: Promise<never>;
}

/** Opens a page in a browser without a window and with a profile of its own. */
export async function openPage(path: string, url: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "a2a-browser-"));
  const flags = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--enable-logging=stderr",
    `--user-data-dir=${profile}`,
  ];
  // A group of its own, for it starts further processes.
  const child = spawn(path, [...flags, url], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The browser ended with code ${String(code)}\n${said}`)));
  });
  failed.catch(() => undefined);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, "SIGKILL");
        await ended;
      }
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
