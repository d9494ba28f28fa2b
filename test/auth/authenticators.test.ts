/** What each kind of authenticator reads, takes and refuses, and what the card says of it. */
import { describe, expect, it } from "vitest";
import { apiKey, basic, bearer, mtls, type Authenticator, type AuthRequest } from "a2a-typed/auth";
import { isA2AError } from "../../src/errors.js";
import { bindings, host, say, type BindingName } from "../rules/support.js";
import { people, whoami } from "./support.js";

const alice = { principal: "alice" };
const request = (more: Partial<AuthRequest>): AuthRequest => ({
  method: "POST",
  url: "/",
  headers: {},
  ...more,
});

/** Who is found: a principal, `nothing` where nothing was shown, `wrong` where it is refused. */
async function found(authenticator: Authenticator, more: Partial<AuthRequest>): Promise<unknown> {
  try {
    return (await authenticator.authenticate(request(more)))?.principal ?? "nothing";
  } catch (error) {
    return isA2AError(error, "UNAUTHENTICATED") ? "wrong" : error;
  }
}

describe.each(bindings)("over %s", (binding: BindingName) => {
  it.each([
    ["header", "X-Api-Key", { "x-api-key": "k1" }, ""],
    ["cookie", "key", { cookie: 'a=b; key="k1"; c=d' }, ""],
    ["query", "api_key", {}, "?api_key=k1"],
  ] as const)("an API key in the %s (A2A-4.5.2-a)", async (place, name, headers, query) => {
    const key = apiKey({ in: place, name, keys: { k1: alice }, description: "Ask us for one." });
    expect(key.scheme).toEqual({
      apiKeySecurityScheme: { location: place, name, description: "Ask us for one." },
    });
    await using server = await host(binding, whoami(), { auth: { schemes: { key } } });
    const call = (url: string, more: object) =>
      fetch(binding === "JSONRPC" ? `${server.url}/${url}` : `${server.url}/message:send${url}`, {
        method: "POST",
        headers: { "a2a-version": "1.0", "content-type": "application/json", ...more },
        body: JSON.stringify(
          binding === "JSONRPC"
            ? { jsonrpc: "2.0", id: 1, method: "SendMessage", params: say("x") }
            : say("x"),
        ),
      });
    const response = await call(query, headers);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("you are alice");
    expect((await call("", {})).headers.get("www-authenticate")).toBe(`ApiKey in="${place}", name="${name}"`);
  });

  it("Basic: user and password in UTF-8 (A2A-4.5.3-a)", async () => {
    const authenticator = basic(
      (user, password) => (user === "zoë" && password === "p:w" ? { principal: user } : undefined),
      { realm: "agents" },
    );
    expect(authenticator.scheme).toEqual({ httpAuthSecurityScheme: { scheme: "Basic" } });
    await using server = await host(binding, whoami(), { auth: { schemes: { basic: authenticator } } });
    const shown = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
    const { task } = await server.ok("SendMessage", say("x"), shown("zoë:p:w"));
    expect(task.artifacts[0].parts[0].text).toBe("you are zoë");
    const wrong = await server.call("ListTasks", {}, shown("zoë:x"));
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="agents", charset="UTF-8"',
    ]);
    for (const authorization of ["Basic", "Basic !!!", "Basic em/Dqw==", "Basic /w=="]) {
      expect((await server.call("ListTasks", {}, { authorization })).status).toBe(401);
    }
  });

  it("all schemes of a requirement are needed, and one principal comes of them (A2A-4.5.x-b)", async () => {
    const schemes = {
      token: bearer(people),
      device: apiKey({ in: "header", name: "X-Device", keys: { d1: { principal: "device 1" } } }),
    };
    await using server = await host(binding, whoami(), {
      auth: { schemes, requirements: [{ schemes: { token: { list: ["read"] }, device: { list: [] } } }] },
    });
    const authorization = "Bearer token-bob";
    const one = await server.call("ListTasks", {}, { authorization });
    expect(one.status).toBe(401);
    expect(one.json.error.message).toBe("Authentication required: show credentials of token and device");
    expect((await server.call("ListTasks", {}, { "x-device": "d1" })).status).toBe(401);
    const { task } = await server.ok("SendMessage", say("x"), { authorization, "x-device": "d1" });
    expect(task.artifacts[0].parts[0].text).toBe("you are bob");
  });
});

describe("credentials that cannot be read", () => {
  it("are wrong without a question to whoever knows them", async () => {
    const ask = () => alice;
    const show = (authorization: string) => ({ headers: { authorization } });
    // No colon; no base64; a byte that is no UTF-8 before the colon.
    for (const pair of ["YQ==", "!!!", "/zp3"]) {
      expect(await found(basic(ask), show(`Basic ${pair}`))).toBe("wrong");
    }
    expect(await found(basic(ask), show("Basic YTpi"))).toBe("alice");
    expect(await found(bearer(ask), show("Bearer"))).toBe("wrong");
    expect(await found(bearer(ask), show("Bearer "))).toBe("wrong");
    expect(await found(bearer(ask), show("Bearer x"))).toBe("alice");
  });
});

describe("a challenge", () => {
  it("keeps within its quotes, and within its line, what a name holds", () => {
    const { challenge } = bearer({}, { realm: 'a"b\\c\r\nSet-Cookie: é' });
    expect(challenge).toBe('Bearer realm="a\\"b\\\\c??Set-Cookie: ?"');
  });
});

describe("bearer", () => {
  it("asks a function, or looks tokens up that it does not keep", async () => {
    const asked = bearer((token, { url }) => (token === "t" && url === "/a" ? alice : undefined));
    expect(await found(asked, { url: "/a", headers: { authorization: "bearer t" } })).toBe("alice");
    expect(await found(asked, { url: "/b", headers: { authorization: "Bearer t" } })).toBe("wrong");
    const known = bearer({ t1: alice, toString: { principal: "odd" } });
    expect(await found(known, { headers: { authorization: "Bearer t1" } })).toBe("alice");
    expect(await found(known, { headers: { authorization: "Bearer toString" } })).toBe("odd");
    expect(await found(known, { headers: { authorization: "Bearer constructor" } })).toBe("wrong");
    expect(await found(known, { headers: { authorization: "Bearer" } })).toBe("wrong");
    expect(await found(known, {})).toBe("nothing");
    expect(bearer({}, { bearerFormat: "opaque" }).scheme).toEqual({
      httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "opaque" },
    });
  });
});

describe("apiKey", () => {
  it("takes one key, not two, and not an empty one", async () => {
    const query = apiKey({ in: "query", name: "k", keys: { a: alice, b: { principal: "bob" } } });
    expect(await found(query, { url: "/x?k=a" })).toBe("alice");
    expect(await found(query, { url: "/x?k=a&k=b" })).toBe("wrong");
    expect(await found(query, { url: "/x?k=" })).toBe("wrong");
    expect(await found(query, { url: "/x?j=a" })).toBe("nothing");
    const cookie = apiKey({ in: "cookie", name: "k", verify: (key) => (key === "a=b" ? alice : undefined) });
    expect(await found(cookie, { headers: { cookie: "ak=x; k=a=b" } })).toBe("alice");
    expect(await found(cookie, { headers: { cookie: "ak=x" } })).toBe("nothing");
  });

  it("needs one way to know its keys", () => {
    expect(() => apiKey({ in: "header", name: "k" })).toThrow("either keys or verify");
    expect(() => apiKey({ in: "header", name: "k", keys: {}, verify: () => alice })).toThrow(
      "either keys or verify",
    );
  });
});

describe("mtls", () => {
  it("takes what TLS has verified, and asks whose it is (A2A-4.5.6-a)", async () => {
    const authenticator = mtls((certificate) =>
      "subject" in certificate && certificate.subject === "alice" ? alice : undefined,
    );
    expect(authenticator.scheme).toEqual({ mtlsSecurityScheme: {} });
    expect(await found(authenticator, {})).toBe("nothing");
    expect(await found(authenticator, { peer: { certificate: {}, verified: false } })).toBe("nothing");
    expect(await found(authenticator, { peer: { certificate: { subject: "alice" } } })).toBe("alice");
    expect(await found(authenticator, { peer: { certificate: { subject: "alice" }, verified: true } })).toBe(
      "alice",
    );
    expect(await found(authenticator, { peer: { certificate: { subject: "bob" }, verified: true } })).toBe(
      "wrong",
    );
    expect(await found(authenticator, { peer: { certificate: { subject: "alice" }, verified: false } })).toBe(
      "wrong",
    );
  });
});
