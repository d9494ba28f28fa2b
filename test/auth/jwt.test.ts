/** Signed tokens, whose keys are fetched over loopback. */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jwt, type Authenticator, type JwtOptions } from "a2a-typed/auth";
import { isA2AError } from "../../src/errors.js";
import { bindings, host, say, type BindingName } from "../rules/support.js";
import { whoami } from "./support.js";

const ISSUER = "https://id.example.com";
const AUDIENCE = "https://agent.example.com";
const now = (): number => Math.floor(Date.now() / 1000);

let issuer: Server;
let jwks = "";
let fetches = 0;
let up = true;
let broken: string | undefined;
const keys: JWK[] = [];
let current: { privateKey: CryptoKey; kid: string };

/** The issuer signs with a new key from now on. */
async function rotate(kid: string): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  keys.push({ ...(await exportJWK(publicKey)), kid, alg: "ES256" });
  current = { privateKey, kid };
}

beforeAll(async () => {
  issuer = createServer((_request, response) => {
    fetches += 1;
    response.statusCode = up ? 200 : 503;
    response.end(broken ?? JSON.stringify({ keys }));
  }).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  jwks = `http://127.0.0.1:${String((issuer.address() as AddressInfo).port)}/jwks`;
  await rotate("k1");
});
afterAll(() => {
  issuer.close();
});

const claims = (more: object = {}) => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: "alice",
  exp: now() + 60,
  scope: "read write",
  ...more,
});
const token = (more: object = {}, key = current): Promise<string> =>
  new SignJWT(claims(more)).setProtectedHeader({ alg: "ES256", kid: key.kid }).sign(key.privateKey);
const show = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });
const options = (more: Partial<JwtOptions> = {}): JwtOptions => ({
  jwks,
  issuer: ISSUER,
  audience: AUDIENCE,
  ...more,
});
const schemes = (more: Partial<JwtOptions> = {}) => ({ schemes: { login: jwt(options(more)) } });

describe.each(bindings)("over %s", (binding: BindingName) => {
  it("the claims are the principal, the subject owns the tasks; one fetch serves all", async () => {
    const before = fetches;
    await using server = await host(
      binding,
      whoami(async (ctx) => JSON.stringify([ctx.principal, [...(ctx.granted?.schemes ?? [])]])),
      { auth: schemes() },
    );
    const issued = claims();
    const { task } = await server.ok("SendMessage", say("x"), show(await token(issued)));
    expect(JSON.parse(task.artifacts[0].parts[0].text)).toEqual([issued, [["login", ["read", "write"]]]]);
    expect((await server.ok("GetTask", { id: task.id }, show(await token()))).id).toBe(task.id);
    expect((await server.call("GetTask", { id: task.id }, show(await token({ sub: "bob" })))).status).toBe(
      binding === "JSONRPC" ? 200 : 404,
    );
    expect(fetches).toBe(before + 1);
  });

  it("refuses what is expired, for others, from others, forged, unsigned or without a subject", async () => {
    await using server = await host(binding, whoami(), { auth: schemes({ realm: "agents" }) });
    const { privateKey } = await generateKeyPair("ES256");
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
    const { sub: _sub, ...nobody } = claims();
    const { exp: _exp, ...forever } = claims();
    const unowned = new SignJWT(nobody).setProtectedHeader({ alg: "ES256", kid: current.kid });
    const endless = new SignJWT(forever).setProtectedHeader({ alg: "ES256", kid: current.kid });
    const wrong: Record<string, string> = {
      "for others": await token({ aud: "https://other.example.com" }),
      "from others": await token({ iss: "https://evil.example.com" }),
      forged: await token({}, { privateKey, kid: current.kid }),
      "unknown key": await token({}, { privateKey, kid: "other" }),
      unsigned: new UnsecuredJWT(claims()).encode(),
      "signed with the public key": await new SignJWT(claims())
        .setProtectedHeader({ alg: "HS256" })
        .sign(secret),
      "without a subject": await unowned.sign(current.privateKey),
      "without an end": await endless.sign(current.privateKey),
      "no token at all": "abc",
    };
    for (const [why, text] of Object.entries(wrong)) {
      const { status, headers } = await server.call("ListTasks", {}, show(text));
      expect([why, status, headers.get("www-authenticate")]).toEqual([
        why,
        401,
        'Bearer realm="agents", error="invalid_token", error_description="The token is not valid"',
      ]);
    }
    const old = await server.call("ListTasks", {}, show(await token({ exp: now() - 5 })));
    expect(old.json.error.message).toContain("The token has expired");
    await using tolerant = await host(binding, whoami(), { auth: schemes({ clockTolerance: 30 }) });
    expect((await tolerant.call("ListTasks", {}, show(await token({ exp: now() - 5 })))).status).toBe(200);
  });

  it("a subject that is no name is refused, and no other claim takes its place", async () => {
    await using server = await host(binding, whoami(), { auth: schemes() });
    for (const sub of ["", 7, {}, ["alice"]]) {
      expect((await server.call("ListTasks", {}, show(await token({ sub })))).status).toBe(401);
    }
    const { task } = await server.ok("SendMessage", say("x"), show(await token()));
    const mallory = show(await token({ sub: "mallory", id: "alice", name: "alice" }));
    expect((await server.ok("ListTasks", {}, mallory)).totalSize).toBe(0);
    expect((await server.ok("GetTask", { id: task.id }, show(await token({ id: 7 })))).id).toBe(task.id);
  });

  it("one subject of two issuers is two owners", async () => {
    const other = "https://other.example.com";
    const auth = schemes({ issuer: [ISSUER, other] });
    await using server = await host(binding, whoami(), { auth });
    const { task } = await server.ok("SendMessage", say("x"), show(await token()));
    const theirs = show(await token({ iss: other }));
    expect((await server.ok("ListTasks", {}, theirs)).totalSize).toBe(0);
    expect((await server.call("GetTask", { id: task.id }, theirs)).json.error).toBeDefined();
    expect((await server.ok("GetTask", { id: task.id }, show(await token()))).id).toBe(task.id);
    await using shared = await host(binding, whoami(), { auth, ownerOf: () => "all" });
    const { task: common } = await shared.ok("SendMessage", say("x"), show(await token()));
    expect((await shared.ok("GetTask", { id: common.id }, theirs)).id).toBe(common.id);
  });

  it("a token for another kind of key than the one there is, is the fault of the caller", async () => {
    const { publicKey } = await generateKeyPair("RS256");
    const { jwks: _jwks, ...rest } = options();
    for (const keyed of [{ key: publicKey }, { key: await exportJWK(publicKey) }]) {
      await using server = await host(binding, whoami(), {
        auth: { schemes: { login: jwt({ ...rest, ...keyed }) } },
      });
      expect((await server.call("ListTasks", {}, show(await token()))).status).toBe(401);
    }
  });

  it("an issuer that cannot be reached is no fault of the caller", async () => {
    up = false;
    await using server = await host(binding, whoami(), { auth: schemes() });
    const response = await fetch(binding === "JSONRPC" ? server.url : `${server.url}/tasks`, {
      method: binding === "JSONRPC" ? "POST" : "GET",
      headers: { "a2a-version": "1.0", "content-type": "application/json", ...show(await token()) },
      ...(binding === "JSONRPC" && { body: "{}" }),
    });
    up = true;
    expect(await response.text()).toContain("The keys that tokens are checked with cannot be had now");
    expect(response.headers.has("www-authenticate")).toBe(false);
    expect((await server.call("ListTasks", {}, show(await token()))).status).toBe(200);
  });
});

it("takes a set or a key that it is given, and what the card says is free", async () => {
  const oauth2 = {
    oauth2SecurityScheme: {
      flows: { clientCredentials: { tokenUrl: "https://id.example.com/token", scopes: { read: "Read" } } },
    },
  };
  const [key] = keys;
  if (key === undefined) throw new Error("there is no key");
  const { jwks: _jwks, ...rest } = options();
  const seen: unknown[] = [];
  for (const authenticator of [
    jwt(options({ jwks: { keys }, scheme: oauth2 })),
    jwt({ ...rest, key, scheme: oauth2, tenants: ({ tenant }) => [String(tenant)] }),
  ]) {
    expect(authenticator.scheme).toEqual(oauth2);
    expect(authenticator.challenge).toBe("Bearer");
    const request = {
      method: "POST",
      url: "/",
      headers: show(await token({ scp: ["admin"], tenant: "red" })),
    };
    const identity = await authenticator.authenticate(request);
    expect(identity).toMatchObject({ scopes: ["read", "write", "admin"] });
    seen.push(identity?.tenants);
  }
  expect(seen).toEqual([undefined, ["red"]]);
  expect(jwt(options()).scheme).toEqual({
    httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" },
  });
});

it("an issuer whose set is none is no fault of the caller either", async () => {
  const authenticator = jwt(options());
  const request = { method: "POST", url: "/", headers: show(await token()) };
  for (const text of ['{"keys":1}', "<html>"]) {
    broken = text;
    await expect(authenticator.authenticate(request)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  }
  broken = undefined;
  expect(await authenticator.authenticate(request)).toMatchObject({ principal: { sub: "alice" } });
});

it("a shared secret is taken where it is asked for", async () => {
  const key = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
  const { jwks: _jwks, ...rest } = options();
  const authenticator = jwt({ ...rest, key, algorithms: ["HS256"] });
  const signed = await new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(key);
  const request = { method: "POST", url: "/", headers: show(signed) };
  expect(await authenticator.authenticate(request)).toMatchObject({ principal: { sub: "alice" } });
});

it("takes no other algorithm than those that are listed, whatever the key could do", async () => {
  const secret = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
  const { jwks: _jwks, ...rest } = options();
  const verdict = async (authenticator: Authenticator, text: string): Promise<unknown> => {
    try {
      return await authenticator.authenticate({ method: "POST", url: "/", headers: show(text) });
    } catch (error) {
      return isA2AError(error) ? error.reason : error;
    }
  };
  const symmetric = (alg: string) => new SignJWT(claims()).setProtectedHeader({ alg }).sign(secret);
  // Symmetric ones must be asked for, each by its name.
  expect(await verdict(jwt({ ...rest, key: secret }), await symmetric("HS256"))).toBe("UNAUTHENTICATED");
  const one = jwt({ ...rest, key: secret, algorithms: ["HS512"] });
  expect(await verdict(one, await symmetric("HS256"))).toBe("UNAUTHENTICATED");
  expect(await verdict(jwt(options({ algorithms: ["RS256"] })), await token())).toBe("UNAUTHENTICATED");
});

it("claims that are required besides must be there", async () => {
  await using server = await host("HTTP+JSON", whoami(), { auth: schemes({ requiredClaims: ["org"] }) });
  expect((await server.call("ListTasks", {}, show(await token()))).status).toBe(401);
  expect((await server.call("ListTasks", {}, show(await token({ org: "o" })))).status).toBe(200);
});

it.each([
  ["none", { algorithms: ["none"] }],
  ["a secret that everybody knows", { algorithms: ["HS256"] }],
  ["no algorithm", { algorithms: [] }],
  ["both", { key: { kty: "EC" } }],
  ["no issuer", { issuer: [] }],
  ["no audience", { audience: "" }],
] as const)("refuses to start with %s", (_, more) => {
  const make = (): unknown => jwt(options(more));
  expect(make).toThrow();
  try {
    make();
  } catch (error) {
    expect(isA2AError(error, "CONFIG")).toBe(true);
  }
});
