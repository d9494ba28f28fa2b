import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, serve } from "a2a-typed/server";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./run.js";

const folder = mkdtempSync(join(tmpdir(), "a2a-typed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const card = {
  name: "Card",
  description: "A card.",
  version: "1",
  supportedInterfaces: [{ url: "https://a.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "Does s.", tags: ["t"] }],
};
const write = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};
const good = write("card.json", card);

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const privateJwk = { ...privateKey.export({ format: "jwk" }), kid: "k1" };
const keys = write("jwks.json", { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1" }] });

describe("card lint", () => {
  it("finds nothing, or says what and where, with exit code 1", async () => {
    expect(await run(["card", "lint", good])).toEqual({
      code: 0,
      out: "nothing is wrong with it\n",
      err: "",
    });
    const twice = { ...card, skills: [...card.skills, ...card.skills] };
    const { code, out, err } = await run(["card", "lint", "-"], { stdin: JSON.stringify(twice) });
    expect({ code, err }).toEqual({ code: 1, err: "a2a-typed: the card has 1 error\n" });
    expect(out).toMatch(/^error: \/skills\/1\S*: [^\n]+ \(A2A-[^\n]+\)\n$/);
  });

  it("--json after the name belongs to it", async () => {
    const { code, out } = await run(["card", "lint", "--json", "-"], { stdin: "{}" });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ valid: false, problems: expect.any(Array) });
    expect(JSON.parse((await run(["card", "lint", good, "--json"])).out)).toEqual({
      valid: true,
      problems: [],
    });
  });

  it("says what is no card", async () => {
    const missing = await run(["card", "lint", join(folder, "none.json")]);
    expect(missing.err).toBe(`a2a-typed: there is no file ${join(folder, "none.json")}\n`);
    expect((await run(["card", "lint", "-"], { stdin: "[]" })).err).toMatch(/is not a card/);
    expect((await run(["card", "lint", "-"], { stdin: "{" })).err).toMatch(/standard input is not JSON/);
  });
});

describe("card sign and verify", () => {
  it.each([
    ["a JWK", write("key.json", privateJwk), []],
    [
      "PKCS #8",
      write("key.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
      ["--kid", "k1"],
    ],
    [
      "SEC 1",
      write("sec1.pem", privateKey.export({ type: "sec1", format: "pem" }).toString()),
      ["--kid", "k1"],
    ],
  ])("with %s", async (_what, key, options) => {
    const signed = await run(["card", "sign", good, "--key", key, ...options]);
    expect({ code: signed.code, err: signed.err }).toEqual({ code: 0, err: "" });
    const { signatures, ...rest } = JSON.parse(signed.out);
    expect(rest).toEqual(card);
    expect(signatures).toHaveLength(1);

    const verified = await run(["card", "verify", "-", "--keys", keys], { stdin: signed.out });
    expect(verified).toEqual({ code: 0, out: "signature 0: ES256 by k1\nverified\n", err: "" });
    const forged = JSON.stringify({ ...JSON.parse(signed.out), name: "Bank" });
    const refused = await run(["card", "verify", "-", "--keys", keys], { stdin: forged });
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^signature 0: MISMATCH: [^\n]+\n$/),
      err: "a2a-typed: no trusted key signed the card as it is\n",
    });
    const two = await run(["card", "verify", "-", "--keys", keys, "--at-least", "2"], { stdin: signed.out });
    expect(two.err).toBe("a2a-typed: fewer than 2 trusted keys signed the card\n");
  });

  it("--json has the keys that signed; private ones are not taken as trusted, and not shown", async () => {
    const key = join(folder, "key.json");
    const { out } = await run(["card", "sign", good, "--key", key]);
    const verified = await run(["card", "verify", "-", "--keys", keys, "--json"], { stdin: out });
    expect(JSON.parse(verified.out)).toMatchObject({ verified: true, signatures: [{ kid: "k1" }] });
    expect(verified.out).not.toContain(privateJwk.d);
    const refused = await run(["card", "verify", "-", "--keys", key, "--json"], { stdin: out });
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("holds a private key") });
    expect(refused.err).not.toContain(privateJwk.d);
  });

  it("a key that cannot be used is said without showing it", async () => {
    const { kid: _kid, ...nameless } = privateJwk;
    const cases: readonly [string, string[], RegExp, number][] = [
      [write("nameless.json", nameless), [], /has no kid: name it with --kid/, 2],
      [write("broken.json", JSON.stringify(privateJwk).slice(0, -1)), [], /neither a JWK nor PEM text/, 1],
      [
        write("public.json", { ...publicKey.export({ format: "jwk" }), kid: "k1" }),
        [],
        /holds no private key/,
        1,
      ],
      [
        write("broken.pem", `-----BEGIN PRIVATE KEY-----\n${privateJwk.d}\n`),
        [],
        /nor a private key in PEM/,
        1,
      ],
      [join(folder, "none.pem"), [], /there is no file/, 1],
    ];
    for (const [key, options, reason, code] of cases) {
      const ran = await run(["card", "sign", good, "--key", key, ...options]);
      expect(ran).toMatchObject({ code, out: "", err: expect.stringMatching(reason) });
      expect(ran.err).not.toContain(privateJwk.d);
    }
  });

  it("verifies the card of an agent, with keys that are published beside it", async () => {
    const agent = defineAgent({
      card: { name: "Signed", description: "Signs.", skills: card.skills },
      handle: () => Promise.resolve("ok"),
    });
    const pem = readFileSync(join(folder, "key.pem"), "utf8");
    const server = await serve(agent, {
      port: 0,
      keys: { signing: [{ kid: "k1", alg: "ES256", key: pem }] },
    });
    try {
      expect((await run(["card", "verify", server.url, "--keys", keys])).code).toBe(0);
      const { origin } = new URL(server.url);
      expect((await run(["card", "verify", "--jku", origin, server.url])).out).toMatch(/\nverified\n$/);
      expect(await run(["card", "verify", server.url])).toMatchObject({
        code: 2,
        err: expect.stringContaining("--keys <file>, or --jku <origin>"),
      });
    } finally {
      await server.close();
    }
  });
});
