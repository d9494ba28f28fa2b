import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
  existsSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf, type Part } from "a2a-typed/v1";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "./run.js";

let folder: string;
let save: string;
let files: Server;
let fileUrl: string;
let asked = 0;
let server: RunningServer;
let url: string;

const raw = (filename: string, text: string): Part => ({
  raw: Buffer.from(text).toString("base64"),
  filename,
  mediaType: "text/plain",
});

let gate = Promise.resolve();

const agent = defineAgent({
  card: {
    name: "Files",
    description: "Sends files.",
    skills: [{ id: "f", name: "F", description: "Sends files.", tags: [] }],
  },
  async *handle(ctx, message) {
    const said = textOf(message);
    if (said === "url") yield { artifactId: "u", parts: [{ url: fileUrl, filename: "far.txt" }] };
    else {
      yield {
        artifactId: "a",
        parts: [raw("report.txt", "first"), raw("report.txt", "second"), raw("", "nameless")],
      };
      if (said === "held") await gate;
      yield {
        artifactId: "b",
        parts: [raw("../../escape.txt", "in"), raw("..", "dots"), raw("/etc/passwd", "root")],
      };
    }
    return ctx.completed();
  },
});

beforeAll(async () => {
  files = createServer((_request, response) => {
    asked += 1;
    response.end("from afar");
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  fileUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}/far.txt`;
  server = await serve(agent, { port: 0 });
  ({ url } = server);
});
afterAll(async () => {
  files.closeAllConnections();
  files.close();
  await server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "a2a-typed-"));
  save = join(folder, "deep", "files");
  asked = 0;
  return () => rmSync(folder, { recursive: true });
});

const saved = (): Record<string, string> =>
  Object.fromEntries(readdirSync(save).map((name) => [name, readFileSync(join(save, name), "utf8")]));

const ALL = {
  "report.txt": "first",
  "report-2.txt": "second",
  file: "nameless",
  "escape.txt": "in",
  "file-2": "dots",
  passwd: "root",
};

describe("--save", () => {
  it.each([
    ["send", []],
    ["send", ["--json"]],
    ["stream", []],
    ["chat", []],
  ])("%s %s keeps every file in the folder, two of one name beside each other", async (command, more) => {
    const text = command === "chat" ? [] : ["files"];
    const args = [command, url, ...text, "--save", save, ...more];
    const { code, out, err } = await run(args, { stdin: "files\n" });
    expect(code).toBe(0);
    expect(saved()).toEqual(ALL);
    expect(readdirSync(folder)).toEqual(["deep"]);
    expect(err.match(/^saved /gm)).toHaveLength(6);
    expect(err).toContain(`saved ${join(save, "report-2.txt")}\n`);
    expect(out).not.toContain("saved");
  });

  it("subscribe saves what was there before, and what comes", async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const sent = await run(["send", url, "held", "--immediately", "--json"]);
    const { id } = (JSON.parse(sent.out) as { task: { id: string } }).task;
    const { code, err } = await run(["subscribe", url, id, "--save", save], { onOut: () => open() });
    expect(code).toBe(0);
    expect(saved()).toEqual(ALL);
    expect(err.match(/^saved /gm)).toHaveLength(6);
  });

  it("get saves too, and writes over nothing, nor through a link", async () => {
    const { out } = await run(["send", url, "files", "--json"]);
    mkdirSync(save, { recursive: true });
    writeFileSync(join(save, "report.txt"), "mine");
    symlinkSync(join(folder, "elsewhere"), join(save, "passwd"));
    const { code } = await run(["get", url, JSON.parse(out).task.id, "--save", save]);
    expect(code).toBe(0);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
    rmSync(join(save, "passwd"));
    const { passwd, file, ...rest } = ALL;
    expect(saved()).toEqual({
      "escape.txt": rest["escape.txt"],
      file,
      "file-2": rest["file-2"],
      "report.txt": "mine",
      "report-2.txt": "first",
      "report-3.txt": "second",
      "passwd-2": passwd,
    });
  });

  it("what a URL names is fetched from where the options allow only", async () => {
    const refused = await run(["send", url, "url", "--save", save]);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /^a2a-typed: not saved: far\.txt: FORBIDDEN_TARGET: [^\n]+\na2a-typed: a file was not saved\n$/,
    );
    expect(asked).toBe(0);
    expect(existsSync(save)).toBe(false);
    const allowed = await run([
      "send",
      "--save",
      save,
      "--save-from",
      "10.0.0.1",
      "--save-from",
      "127.0.0.1",
      url,
      "url",
    ]);
    expect({ code: allowed.code, asked }).toEqual({ code: 0, asked: 1 });
    expect(saved()).toEqual({ "far.txt": "from afar" });
  });
});
