import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run } from "./run.js";

const folder = mkdtempSync(join(tmpdir(), "a2a-typed-"));
const SECRET = "a-secret-of-many-letters";

/** Takes the credentials in `wanted`; a refusal says what it was shown. */
let wanted: readonly [name: string, value: string];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") {
      response.end(
        JSON.stringify({
          name: "Locked",
          description: "Wants credentials.",
          version: "1",
          supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
          capabilities: {},
          defaultInputModes: ["text/plain"],
          defaultOutputModes: ["text/plain"],
          skills: [],
          securitySchemes: {
            key: { apiKeySecurityScheme: { location: "header", name: "x-key" } },
            company: { httpAuthSecurityScheme: { scheme: "basic" } },
          },
          securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { company: { list: [] } } }],
        }),
      );
      return;
    }
    const [name, value] = wanted;
    if (request.headers[name] !== value) {
      response.statusCode = 401;
      response.end(`no: ${JSON.stringify(request.headers)}`);
      return;
    }
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "come in" }] };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result: { message } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => delete process.env["A2A_TEST_CREDENTIALS"]);

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const basicOf = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("--auth", () => {
  it.each([
    [`bearer:${SECRET}`, ["authorization", `Bearer ${SECRET}`]],
    [`basic:ann:${SECRET}:x`, ["authorization", basicOf(`ann:${SECRET}:x`)]],
    [`apikey:X-Key=${SECRET}=`, ["x-key", `${SECRET}=`]],
  ] as const)("%s, also from the environment, with and without a card", async (auth, header) => {
    wanted = header;
    for (const more of [[], ["--direct"]]) {
      expect(await run(["send", url, "hello", "--auth", auth, ...more])).toEqual({
        code: 0,
        out: "come in\n",
        err: "",
      });
    }
    process.env["A2A_TEST_CREDENTIALS"] = auth;
    expect((await run(["send", url, "hello", "--auth", "env:A2A_TEST_CREDENTIALS"])).code).toBe(0);
  });

  it("a variable may hold a token alone", async () => {
    wanted = ["authorization", `Bearer ${SECRET}`];
    process.env["A2A_TEST_CREDENTIALS"] = SECRET;
    expect((await run(["send", url, "hello", "--auth", "env:A2A_TEST_CREDENTIALS"])).code).toBe(0);
  });

  it("a file gives credentials by scheme name, and the card says which are shown", async () => {
    wanted = ["x-key", SECRET];
    const byKey = file("key.json", JSON.stringify({ key: SECRET, other: "unused" }));
    expect((await run(["send", url, "hello", "--auth", byKey])).code).toBe(0);
    wanted = ["authorization", basicOf(`bob:${SECRET}`)];
    const byName = file("company.json", JSON.stringify({ company: { username: "bob", password: SECRET } }));
    expect((await run(["send", url, "hello", "--auth", byName])).code).toBe(0);
    const direct = await run(["send", url, "hello", "--auth", byName, "--direct"]);
    expect(direct).toMatchObject({ code: 2, err: expect.stringContaining("not with --direct") });
    const neither = file("other.json", JSON.stringify({ other: SECRET }));
    expect((await run(["send", url, "hello", "--auth", neither])).err).toMatch(
      /^a2a-typed: CONFIG: credentials: Locked asks for key, or company\n$/,
    );
  });

  it.each([[[]], [["--direct"]]])("is in no error, though the agent repeats it %s", async (more) => {
    wanted = ["authorization", "something else"];
    const refused = await run(["send", url, "hello", "--auth", `bearer:${SECRET}`, ...more]);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^a2a-typed: UNAUTHENTICATED: [^\n]+\n$/);
    expect(refused.out + refused.err).not.toContain(SECRET.slice(0, 8));
  });

  it.each([
    [SECRET, /neither bearer:….* nor a file/],
    [`bearer${SECRET}`, /neither bearer:…/],
    [`basic:${SECRET}`, /write basic:USER:PASSWORD/],
    [`apikey:${SECRET}`, /write apikey:HEADER=KEY/],
    [`env:${SECRET}`, /is not set, or empty/],
    [file("broken.json", `{"key": "${SECRET}"`), /the file is not JSON/],
    [file("list.json", `["${SECRET}"]`), /an object of credentials/],
    [file("number.json", `{"key": {"password": "${SECRET}"}}`), /must give "key" a token or key/],
  ])("what is no credential is wrong usage, and not shown (%#)", async (auth, reason) => {
    const { code, out, err } = await run(["send", url, "hello", "--auth", auth]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(reason);
    expect(err).not.toContain(SECRET);
  });

  it("a misspelt option does not show its value", async () => {
    const { code, err } = await run(["send", url, "hello", `--auht=bearer:${SECRET}`]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error: unknown option '--auht'\n/);
    expect(err).not.toContain(SECRET);
  });

  it("a --header that is none is not shown either", async () => {
    const { code, err } = await run(["send", url, "hello", "--header", SECRET]);
    expect({ code, err }).toEqual({ code: 2, err: 'a2a-typed: --header: write it as "Name: value"\n' });
  });
});

describe("--version", () => {
  it("is that of the package", async () => {
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    expect(await run(["--version"])).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
  });
});
