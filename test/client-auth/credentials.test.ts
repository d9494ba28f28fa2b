/** Credentials without a server that gives them: how they are shown, and which ones, against our own server. */
import { describe, expect, it } from "vitest";
import * as server from "../../src/auth.js";
import { createAuthSession } from "../../src/client/auth/auth-session.js";
import { defaultFetch } from "../../src/client/default-fetch.js";
import { connect } from "../../src/client.js";
import {
  apiKey,
  authenticated,
  basic,
  bearer,
  credentials,
  type Auth,
  type AuthOperation,
  type Credential,
} from "../../src/client-auth.js";
import { createClient, httpJson, jsonRpc } from "../../src/index.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { pivot } from "../../src/versions/pivot.js";
import { failure, listen, message, reply } from "../client/support.js";
import { secured } from "./support.js";

const token = server.bearer({ "token-of-alice": { principal: "alice", scopes: ["read"] } });
const ask = async (url: string, auth: Auth): Promise<string> => {
  await using agent = await connect(url, { auth, retry: false });
  return (await agent.send("who am I?")).text();
};

describe("providers", () => {
  it.each(["header", "query", "cookie"] as const)("an API key in a %s", async (place) => {
    const name = "x-key";
    const verify = server.apiKey({ in: place, name, keys: { "key of alice+&=": { principal: "alice" } } });
    const plain = server.apiKey({ in: place, name, keys: { "key-of-alice+&": { principal: "alice" } } });
    await using running = await secured({ schemes: { key: place === "cookie" ? plain : verify } });
    const key = place === "cookie" ? "key-of-alice+&" : "key of alice+&=";
    expect(await ask(running.url, apiKey({ in: place, name, key }))).toBe("you are alice");
    expect(await ask(running.url, credentials({ key }))).toBe("you are alice");
  });

  it("Basic, in UTF-8", async () => {
    const verify = (name: string, password: string) =>
      name === "älice" && password === "pä:ss" ? { principal: "alice" } : undefined;
    await using running = await secured({ schemes: { login: server.basic(verify, { realm: "r" }) } });
    expect(await ask(running.url, basic("älice", "pä:ss"))).toBe("you are alice");
    expect(await ask(running.url, credentials({ login: { username: "älice", password: "pä:ss" } }))).toBe(
      "you are alice",
    );
    expect((await failure(ask(running.url, basic("älice", "wrong-password")))).reason).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("a function that gives headers is told what they are for", async () => {
    await using running = await secured({ schemes: { token } });
    const seen: AuthOperation[] = [];
    const auth = (op: AuthOperation) => {
      seen.push(op);
      return { authorization: "Bearer token-of-alice" };
    };
    expect(await ask(running.url, auth)).toBe("you are alice");
    expect(seen.map(({ name, url, verb }) => [name, url, verb])).toEqual([
      ["sendMessage", `${running.url}/`.replace(/\/\/$/, "/"), "POST"],
    ]);
  });

  it.each(["JSONRPC", "HTTP+JSON"] as const)(
    "a bearer function is asked once more after 401: %s (A2A-ER-b)",
    async (binding) => {
      await using running = await secured({ schemes: { token } });
      const tokens = ["stale-token-1", "token-of-alice"];
      let asked = 0;
      const auth = bearer(() => tokens[asked++] ?? "no-more-tokens");
      await using agent = await connect(running.url, { auth, bindings: [binding] });
      expect((await agent.send("x")).text()).toBe("you are alice");
      expect(asked).toBe(2);
      // Another one is tried; the same one is not, and there is no third.
      const always = await connect(running.url, { auth: bearer(() => "wrong-token-x"), bindings: [binding] });
      expect((await failure(always.send("x"))).reason).toBe("UNAUTHENTICATED");
      let count = 0;
      const never = bearer(() => `wrong-token-${String(count++)}`);
      const other = await connect(running.url, { auth: never, bindings: [binding] });
      expect((await failure(other.send("x"))).reason).toBe("UNAUTHENTICATED");
      expect(count).toBe(2);
    },
  );

  it("streams, and an agent of 0.3", async () => {
    await using running = await secured({ schemes: { token } });
    await using agent = await connect(running.url, { auth: bearer("token-of-alice"), versions: ["0.3"] });
    expect(agent.protocolVersion).toBe("0.3");
    const texts: string[] = [];
    for await (const event of agent.sendStreamingMessage({ message: userMessage("x") }))
      texts.push(textOf(event));
    expect(texts.join("")).toContain("you are alice");
  });

  it.each([jsonRpc, httpJson])("transports of createClient", async (transport) => {
    await using running = await secured({ schemes: { token } });
    const auth = bearer("token-of-alice");
    const client = createClient(pivot, authenticated(transport, { url: running.url, auth }));
    expect(textOf(await client.sendMessage({ message: userMessage("x") }))).toBe("you are alice");
    const wrong = bearer("token-of-mallory");
    const other = createClient(pivot, authenticated(transport, { url: running.url, auth: wrong }));
    expect((await failure(other.sendMessage({ message: userMessage("x") }))).reason).toBe("UNAUTHENTICATED");
  });

  it("refuses what gives no credentials, without showing it", async () => {
    for (const auth of ["token-of-alice", { authorization: "token-of-alice" }]) {
      const error = await failure(connect("http://127.0.0.1:1", { auth: auth as unknown as Auth }));
      expect(error.reason).toBe("CONFIG");
      expect(error.message).not.toContain("alice");
    }
  });

  it("refuses names that would change the request, and secrets that are none", async () => {
    for (const name of ["host", "Content-Length", "a b", ""]) {
      expect(() => apiKey({ in: "header", name, key: "k" })).toThrow("cannot be the name of a key");
    }
    expect(() => basic("a:b", "p")).toThrow("colon");
    await using running = await secured({ schemes: { token } });
    expect(
      (
        await failure(
          ask(
            running.url,
            bearer(() => ""),
          ),
        )
      ).reason,
    ).toBe("CONFIG");
    expect((await failure(ask(running.url, bearer("two\nlines")))).message).not.toContain("lines");
  });
});

describe("credentials by the schemes of the card", () => {
  const key = server.apiKey({
    in: "header",
    name: "x-key",
    keys: { "key-of-alice": { principal: "alice" } },
  });
  const requirements = [
    { schemes: { token: { list: [] }, key: { list: [] } } },
    { schemes: { key: { list: [] } } },
  ];

  it.each(["JSONRPC", "HTTP+JSON"] as const)(
    "are shown with every operation over %s, as the card names them (A2A-7.3-a, A2A-3.1.11-b)",
    async (binding) => {
      await using peer = await listen((_, response) => {
        reply(response, "no", { status: 403, type: "text/plain" });
      });
      const locked = {
        name: "A",
        description: "d",
        version: "1",
        capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
        defaultInputModes: ["text/plain"],
        defaultOutputModes: ["text/plain"],
        skills: [],
        supportedInterfaces: [{ url: peer.url, protocolBinding: binding, protocolVersion: "1.0" }],
        securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "x-key" } } },
        securityRequirements: [{ schemes: { key: {} } }],
      };
      const agent = await connect(locked, { auth: credentials({ key: "key-of-alice" }), retry: false });
      const request = { message: userMessage("x") };
      const config = { taskId: "t", id: "c" };
      const calls: Record<keyof typeof pivot.methods, () => Promise<unknown>> = {
        sendMessage: () => agent.sendMessage(request),
        sendStreamingMessage: () => agent.sendStreamingMessage(request).next(),
        getTask: () => agent.getTask({ id: "t" }),
        listTasks: () => agent.listTasks({}),
        cancelTask: () => agent.cancelTask({ id: "t" }),
        subscribeToTask: () => agent.subscribeToTask({ id: "t" }).next(),
        createTaskPushNotificationConfig: () =>
          agent.createTaskPushNotificationConfig({ ...config, url: "https://hook.example.com" }),
        getTaskPushNotificationConfig: () => agent.getTaskPushNotificationConfig(config),
        listTaskPushNotificationConfigs: () => agent.listTaskPushNotificationConfigs({ taskId: "t" }),
        deleteTaskPushNotificationConfig: () => agent.deleteTaskPushNotificationConfig(config),
        getExtendedAgentCard: () => agent.getExtendedAgentCard({}),
      };
      for (const call of Object.values(calls)) {
        expect((await failure(call())).reason).toBe("PERMISSION_DENIED");
      }
      expect(peer.seen.map(({ headers }) => headers["x-key"])).toEqual(Array(11).fill("key-of-alice"));
    },
  );

  it("shows the first alternative that it has everything for, and nothing else", async () => {
    const seen: Record<string, string | undefined>[] = [];
    const noting = server.custom({
      scheme: key.scheme,
      authenticate: (request) => {
        seen.push({ key: request.headers["x-key"], token: request.headers["authorization"] });
        return key.authenticate(request);
      },
    });
    await using running = await secured({ schemes: { token, key: noting }, requirements });
    await ask(
      running.url,
      credentials({ key: "key-of-alice", token: "token-of-alice", other: "unused-secret" }),
    );
    await ask(running.url, credentials({ key: "key-of-alice" }));
    expect(seen).toEqual([
      { key: "key-of-alice", token: "Bearer token-of-alice" },
      { key: "key-of-alice", token: undefined },
    ]);
  });

  it("says what is missing", async () => {
    await using running = await secured({ schemes: { token, key }, requirements });
    const error = await failure(connect(running.url, { auth: credentials({ token: "token-of-alice" }) }));
    expect(error.reason).toBe("CONFIG");
    expect(error.message).toBe("credentials: Test asks for token and key (key is missing), or key");
  });

  describe("and of its skills (A2A-4.4.5-b)", () => {
    const schemes = {
      login: { httpAuthSecurityScheme: { scheme: "Bearer" } },
      other: {
        oauth2SecurityScheme: {
          flows: { clientCredentials: { tokenUrl: "https://a.example.com/token", scopes: {} } },
        },
      },
      key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    };
    const list = (...names: string[]) => ({ list: names });
    const skill = (id: string, ...requirements: object[]) => ({
      id,
      name: id,
      description: id,
      tags: [],
      securityRequirements: requirements.map((one) => ({ schemes: one })),
    });
    const cardOf = (url: string) => ({
      name: "Shop",
      capabilities: {},
      supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      securitySchemes: schemes,
      securityRequirements: [{ schemes: { login: list("read") } }],
      skills: [
        skill("look"),
        skill("buy", { key: list() }),
        skill("sell", { login: list("read", "write") }),
        skill("audit", { other: list("all") }),
        skill("choose", { other: list("all") }, { key: list() }),
      ],
    });
    /** What a call shows; the token names its scopes. */
    async function shownFor(skills: readonly string[] | undefined, more: Record<string, Credential> = {}) {
      await using peer = await listen((seen, response) => {
        reply(response, {
          jsonrpc: "2.0",
          id: seen.json.id,
          result: { message: { messageId: "m", role: "ROLE_AGENT", parts: [] } },
        });
      });
      const login = {
        headers: () => ({}),
        forScheme: (_: unknown, scopes: readonly string[]) => bearer(`token-for-${scopes.join("-")}`),
      };
      const auth = credentials({ login, key: "key-of-the-shop", ...more }, { skills });
      await using agent = await connect(cardOf(peer.url), { auth, retry: false });
      await agent.send("x").catch(() => undefined);
      const { authorization, "x-key": shownKey } = peer.seen[0]?.headers ?? {};
      return [authorization, shownKey];
    }

    it("only what the card asks for, where no skill is named", async () => {
      expect(await shownFor(undefined)).toEqual(["Bearer token-for-read", undefined]);
      expect(await shownFor(["look"])).toEqual(["Bearer token-for-read", undefined]);
    });

    it("what a skill asks for comes on top, and scopes come together", async () => {
      expect(await shownFor(["buy"])).toEqual(["Bearer token-for-read", "key-of-the-shop"]);
      expect(await shownFor(["sell"])).toEqual(["Bearer token-for-read-write", undefined]);
      expect(await shownFor(["buy", "sell"])).toEqual(["Bearer token-for-read-write", "key-of-the-shop"]);
    });

    it("an alternative that leaves the others their place is taken", async () => {
      expect(await shownFor(["choose"], { other: "another-token" })).toEqual([
        "Bearer token-for-read",
        "key-of-the-shop",
      ]);
    });

    it.each([
      [["audit"], {}, "credentials: the skill audit of Shop, beside login, asks for other"],
      [
        ["audit"],
        { other: "another-token" },
        "credentials: the skill audit of Shop, beside login, asks for other",
      ],
      [["fly"], {}, "credentials: Shop has no skill fly; there are look, buy, sell, audit, choose"],
    ])("%j with %j fails: %s", async (skills, more, text) => {
      await expect(shownFor(skills, more)).rejects.toMatchObject({ reason: "CONFIG", message: text });
    });
  });

  it("shows nothing where nothing is asked for", async () => {
    await using running = await secured({ schemes: { token }, requirements: [] });
    expect(await ask(running.url, credentials({}))).toBe("you are nobody");
  });

  it("refuses a credential that does not fit its scheme", async () => {
    await using running = await secured({ schemes: { token } });
    const auth = credentials({ token: { username: "alice", password: "p" } });
    expect((await failure(connect(running.url, { auth }))).message).toContain("is not HTTP Basic");
  });
});

describe("credentials stay at home", () => {
  const card = (url: string) => ({
    name: "A",
    description: "d",
    version: "1",
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  const auth = bearer("token-of-alice");

  it("an interface elsewhere is not called unless its origin is named", async () => {
    await using elsewhere = await listen((seen, response) => {
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result: message("hi") });
    });
    await using home = await listen((_, response) => {
      reply(response, card(`${elsewhere.url}/a2a`));
    });
    const error = await failure(connect(home.url, { auth }));
    expect(error.reason).toBe("NO_COMPATIBLE_INTERFACE");
    expect(error.message).toContain("headerOrigins");
    expect(elsewhere.seen).toHaveLength(0);
    const agent = await connect(home.url, { auth, headerOrigins: [elsewhere.url] });
    await agent.send("x");
    expect(elsewhere.seen[0]?.headers.authorization).toBe("Bearer token-of-alice");
    // The card was open.
    expect(home.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it("a request to another origin goes without them, whoever makes it", async () => {
    await using home = await listen((_, response) => {
      reply(response, {});
    });
    await using elsewhere = await listen((_, response) => {
      reply(response, {});
    });
    for (const lazily of [false, true]) {
      const send = createAuthSession(auth).fetch(defaultFetch, [home.url], { lazily });
      for (const { url } of [home, elsewhere]) {
        const { signal } = new AbortController();
        await send(url, { method: "GET", headers: {}, redirect: "manual", signal });
      }
    }
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    // The lazy one shows nothing before a 401.
    expect(home.seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer token-of-alice",
      undefined,
    ]);
  });

  it("no redirect takes them along", async () => {
    await using elsewhere = await listen((_, response) => {
      reply(response, {});
    });
    await using home = await listen((seen, response) => {
      if (seen.method === "GET") reply(response, card(`${home.url}/a2a`));
      else reply(response, "", { status: 307, headers: { location: `${elsewhere.url}/a2a` } });
    });
    const agent = await connect(home.url, { auth });
    expect((await failure(agent.send("x"))).reason).toBe("HTTP");
    expect(elsewhere.seen).toHaveLength(0);
  });

  it("a card behind a lock is asked for with them after 401", async () => {
    await using home = await listen((seen, response) => {
      const known = seen.headers.authorization === "Bearer token-of-alice";
      if (!known) reply(response, "locked", { status: 401 });
      else if (seen.method === "GET") reply(response, card(`${home.url}/a2a`));
      else reply(response, { jsonrpc: "2.0", id: seen.json.id, result: message("hi") });
    });
    const agent = await connect(home.url, { auth });
    expect((await agent.send("x")).text()).toBe("hi");
    expect((await failure(connect(home.url))).reason).toBe("UNAUTHENTICATED");
  });
});
