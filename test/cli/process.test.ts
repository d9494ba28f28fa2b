import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import * as v03 from "../../generated/v0.3/index.js";
import { run } from "./run.js";

const tsx = new URL("../../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;

describe("the process", { timeout: 60_000 }, () => {
  it("serve runs the echo agent, in every version, until it is interrupted", async () => {
    const child = spawn(process.execPath, [tsx, main, "serve", "--port", "0", "--json"]);
    try {
      const closed = once(child, "close");
      const [line] = await once(child.stdout.setEncoding("utf8"), "data");
      const { url, port } = JSON.parse(String(line));
      expect(url).toContain(String(port));
      expect((await run(["send", url, "hello there"])).out).toContain("echo: hello there\n");
      const params = { message: v03.userMessage("good day") };
      for (const version of ["0.3", "0.2"]) {
        const reply = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", "a2a-version": version },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params }),
        });
        const { result } = (await reply.json()) as { result: v03.Task };
        expect(v03.textOf(result)).toBe("echo: good day");
      }
      child.kill("SIGINT");
      expect(await closed).toEqual([0, null]);
    } finally {
      child.kill();
    }
  });

  it("a failure is exit code 1, a reason on standard error and no stack", async () => {
    const child = spawn(process.execPath, [tsx, main, "card", "http://127.0.0.1:1"]);
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(err).toMatch(/^a2a-typed: NETWORK: [^\n]+\n$/);
  });
});
