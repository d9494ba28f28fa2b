import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = `${root}test/client/in-editor.ts`;

/** A language service that sees one more file with this text. */
function editor(text: string): ts.LanguageService {
  const read = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  return ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  });
}

const cases: readonly [name: string, text: string, errors: readonly RegExp[]][] = [
  [
    "narrowing by truthiness",
    "const r = await client.sendMessage(input); if (r.task) r.task.id; else r.message.parts;",
    [],
  ],
  ["no narrowing", "const r = await client.sendMessage(input); r.task.id;", [/possibly 'undefined'/]],
  [
    "a stream",
    "for await (const e of client.sendStreamingMessage(input)) { e.statusUpdate?.status.state; break; }",
    [],
  ],
  ["a stream is no promise", "(await client.sendStreamingMessage(input)).task;", [/'task' does not exist/]],
  ["no input where none is needed", "await client.listTasks();", []],
  ["no input where one is needed", "await client.getTask();", [/Expected 1-2 arguments/]],
  ["an unknown field", 'await client.getTask({ id: "t", length: 1 });', [/'length' does not exist/]],
  ["an unknown method", "await client.fetchTask();", [/'fetchTask' does not exist/]],
  ["an unknown option", 'await client.getTask({ id: "t" }, { timeout: 1 });', [/'timeout' does not exist/]],
  [
    "options set to undefined",
    'await client.getTask({ id: "t" }, { signal: undefined, timeoutMs: undefined });',
    [],
  ],
  ["the global fetch", 'jsonRpc({ url: "", fetch: globalThis.fetch });', []],
  ["a fetch of one's own", 'jsonRpc({ url: "", fetch: async () => new Response("") });', []],
  [
    "disposal",
    "await using c = client; await using s = c.sendStreamingMessage(input); s.lastEventId?.length;",
    [],
  ],
];

const head = `
import { createClient, jsonRpc } from "../../src/index.js";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
export const client = createClient(A2A, jsonRpc({ url: "http://127.0.0.1" }));
export const input = { message: userMessage("hi") };
`;
const text =
  head + cases.map(([, code], n) => `export async function case${String(n)}() {\n${code}\n}\n`).join("");
let service: ts.LanguageService;

beforeAll(() => {
  service = editor(text);
}, 60_000);

describe("the mapped client type in an editor", () => {
  it("shows the documentation of a method and leads to its definition in the descriptor", () => {
    const at = text.indexOf("sendMessage(");
    const docs = ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.documentation);
    expect(docs).toMatch(/message/i);
    const [definition] = service.getDefinitionAtPosition(file, at) ?? [];
    expect(definition?.fileName).toBe(`${root}generated/v1.0/service.ts`);
    expect(definition?.name).toBe("sendMessage");
  }, 60_000);

  it.each(cases)(
    "checks %s",
    (_, code, errors) => {
      const from = text.indexOf(code);
      const found = service
        .getSemanticDiagnostics(file)
        .filter(({ start = 0 }) => start >= from && start < from + code.length)
        .map((d) => ts.flattenDiagnosticMessageText(d.messageText, "\n"));
      expect(found.length, found.join("\n")).toBe(errors.length);
      errors.forEach((error, n) => {
        expect(found[n]).toMatch(error);
      });
    },
    60_000,
  );
});
