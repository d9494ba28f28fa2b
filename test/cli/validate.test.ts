import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./run.js";

const folder = mkdtempSync(join(tmpdir(), "a2a-typed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "hi" }] };
const check = (value: unknown, ...args: string[]) =>
  run(["validate", "Message", "-", ...args], { stdin: JSON.stringify(value) });

describe("validate", () => {
  it("reads a file", async () => {
    const file = join(folder, "message.json");
    writeFileSync(file, JSON.stringify(message));
    expect(await run(["validate", "Message", file])).toEqual({
      code: 0,
      out: "valid: Message of A2A 1.0\n",
      err: "",
    });
  });

  it("says what is wrong and where, in one line", async () => {
    const { code, out, err } = await check({ ...message, parts: [{ text: 1 }] });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^a2a-typed: not a valid Message of A2A 1\.0: [^\n]*parts\[0\]\.text[^\n]*\n$/);
  });

  it("--json gives the canonical value, or the violations", async () => {
    const good = await check({ message_id: "1", role: 1, parts: [{ text: "hi" }] }, "--json");
    expect(JSON.parse(good.out)).toEqual({ valid: true, problems: [], value: message });
    const bad = await check({ ...message, messageId: "" }, "--json");
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({ valid: false, violations: [{ pointer: "/messageId" }] });
  });

  it("--protocol picks the version", async () => {
    const older = { kind: "message", messageId: "1", role: "user", parts: [{ kind: "text", text: "hi" }] };
    expect((await check(older, "--protocol", "0.3")).code).toBe(0);
    expect((await check(older)).code).toBe(1);
    expect((await check(message, "--protocol", "0.2")).code).toBe(1);
  });

  it("--tolerant reads other spellings and says so", async () => {
    const { code, out } = await check({ ...message, role: "user" }, "--tolerant");
    expect(code).toBe(0);
    expect(out).toMatch(/^note: \/role: .+\nvalid: Message of A2A 1\.0\n$/);
  });

  it("--reply keeps names that a newer version may have", async () => {
    const state = { state: "TASK_STATE_PAUSED" };
    const args = ["validate", "TaskStatus", "-"];
    expect((await run(args, { stdin: JSON.stringify(state) })).code).toBe(1);
    expect((await run([...args, "--reply"], { stdin: JSON.stringify(state) })).code).toBe(0);
  });

  it("no JSON, no file, no such type", async () => {
    const noJson = await run(["validate", "Message", "-"], { stdin: "{" });
    expect(noJson.code).toBe(1);
    expect(noJson.err).toMatch(/^a2a-typed: standard input is not JSON: [^\n]+\n$/);
    const noFile = await run(["validate", "Message", join(folder, "missing.json")]);
    expect(noFile.code).toBe(1);
    expect(noFile.err).toBe(`a2a-typed: there is no file ${join(folder, "missing.json")}\n`);
    expect((await run(["validate", "Message", folder])).err).toBe(
      `a2a-typed: ${folder} is a folder, not a file\n`,
    );
    const noType = await run(["validate", "message", "-"]);
    expect(noType).toMatchObject({ code: 2, out: "" });
    expect(noType.err).toMatch(
      /^a2a-typed: A2A 1\.0 has no type message; did you mean [^\n]*Message[^\n]*\?\n$/,
    );
  });
});
