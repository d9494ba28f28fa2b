/** Whatever goes wrong, and whatever the peer makes of what it was shown: no error holds a credential. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.js";
import {
  allOf,
  apiKey,
  authenticated,
  authorizationCode,
  basic,
  bearer,
  clientCredentials,
  credentials,
  deviceCode,
  refreshToken,
  tokenExchange,
  type ClientAuth,
} from "../../src/client-auth.js";
import { A2AError, createClient, httpJson, jsonRpc, tolerant, type ClientWarning } from "../../src/index.js";
import { pivot, userMessage } from "../../src/versions/pivot.js";
import { listen, reply, type Seen, type TestServer } from "../client/support.js";
import { AuthorizationServer } from "./authorization-server.js";

/** Texts that headers, cookies and forms can carry; not so short that they occur by chance. */
const secret = fc.stringMatching(/^[A-Za-z0-9+/=_~.!-]{12,60}$/);

type Response = Parameters<Parameters<typeof listen>[0]>[1];

/** Everything that a request showed, as a peer would print it. */
function echo({ url, headers }: Seen): string {
  const { authorization = "", cookie = "" } = headers;
  const [, token = ""] = authorization.split(" ");
  const plain = Buffer.from(token, "base64").toString();
  return [authorization, token, plain, cookie, headers["x-key"], url, decodeURIComponent(url)].join(" | ");
}

const rpc = (seen: Seen, more: object): object => ({ jsonrpc: "2.0", id: seen.json.id ?? 1, ...more });

/** Peers that fail. */
const failures: Readonly<Record<string, (seen: Seen, response: Response) => void>> = {
  "401, a page": (seen, response) => {
    const headers = { "www-authenticate": `Bearer error="${encodeURI(echo(seen))}"` };
    reply(response, `<p>${echo(seen)}</p>`, { status: 401, type: "text/html", headers });
  },
  "401, words cut off at 200 characters": (seen, response) => {
    reply(response, "x".repeat(170) + echo(seen), { status: 401, type: "text/plain" });
  },
  "403 with details": (seen, response) => {
    const error = {
      code: 403,
      status: "PERMISSION_DENIED",
      message: echo(seen),
      details: [{ at: echo(seen) }],
    };
    reply(response, { error }, { status: 403 });
  },
  "500 as JSON-RPC": (seen, response) => {
    const data = { [echo(seen)]: [echo(seen)] };
    reply(response, rpc(seen, { error: { code: -32603, message: echo(seen), data } }), { status: 500 });
  },
  "200, an error": (seen, response) => {
    reply(response, rpc(seen, { error: { code: -32001, message: echo(seen), data: [echo(seen)] } }));
  },
  "200, no JSON": (seen, response) => {
    reply(response, echo(seen));
  },
  "200, not the protocol": (seen, response) => {
    const task = { id: 5, contextId: "c", status: { state: echo(seen) }, history: echo(seen) };
    reply(response, { ...rpc(seen, { result: { task } }), task });
  },
  "a redirect": (seen, response) => {
    const location = `http://127.0.0.1:1/${encodeURIComponent(echo(seen))}`;
    reply(response, "", { status: 307, headers: { location } });
  },
  "a stream that fails": (seen, response) => {
    reply(response, `event: error\ndata: ${JSON.stringify({ code: -32603, message: echo(seen) })}\n\n`, {
      type: "text/event-stream",
    });
  },
  "200, oddities that are told": (seen, response) => {
    const task = { id: "t", status: { state: "working" }, [echo(seen)]: 1, history: null };
    reply(response, rpc(seen, { result: { task } }));
  },
  "a stream of events that nobody knows": (seen, response) => {
    reply(response, `data: ${JSON.stringify(rpc(seen, { result: { [echo(seen)]: {} } }))}\n\n`, {
      type: "text/event-stream",
    });
  },
  "another task than was asked for": (seen, response) => {
    reply(response, rpc(seen, { result: { task: { id: echo(seen), status: { state: echo(seen) } } } }));
  },
  "a stream of nonsense": (seen, response) => {
    reply(response, `data: ${echo(seen)}\n\n`, { type: "text/event-stream" });
  },
  "a broken connection": (_, response) => {
    response.destroy();
  },
  "half an answer": (seen, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "9999" });
    response.write(echo(seen));
    response.destroy();
  },
  silence: () => undefined,
};

/** The ways to show one, and a credential that holds it. */
const shown: Readonly<Record<string, (secret: string) => ClientAuth>> = {
  "headers of one's own": (one) => ({ headers: () => ({ "x-key": one }) }),
  "what the card asks for": (one) => credentials({ login: { username: "alice", password: one }, key: one }),
  "two at once": (one) => allOf([bearer(one), apiKey({ in: "query", name: "key", key: one })]),

  bearer: (one) => bearer(one),
  "bearer that is asked twice": (one) => bearer(() => one),
  basic: (one) => basic("alice", one),
  header: (one) => apiKey({ in: "header", name: "x-key", key: one }),
  query: (one) => apiKey({ in: "query", name: "key", key: one }),
  cookie: (one) => apiKey({ in: "cookie", name: "key", key: one }),
};

/** The error as logs would show it, whole, and as JSON. */
function whole(error: unknown): string {
  return [
    inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
    JSON.stringify(error),
  ].join();
}

async function errorOf(work: () => Promise<unknown>): Promise<A2AError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

/** No part of a secret from its beginning, in any spelling. */
function expectNothing(error: unknown, one: string): void {
  const text = whole(error);
  for (const spelling of [one, encodeURIComponent(one), new URLSearchParams({ one }).toString().slice(4)]) {
    expect(text).not.toContain(spelling.slice(0, 12));
  }
  expect(text).not.toContain(btoa(`alice:${one}`).slice(0, 20));
}

describe("agents that fail and tell", () => {
  let peer: TestServer;
  let fails: (seen: Seen, response: Response) => void;
  beforeAll(async () => {
    peer = await listen((seen, response) => {
      fails(seen, response);
    });
  });
  afterAll(() => peer[Symbol.asyncDispose]());

  const card = {
    name: "A",
    description: "d",
    version: "1",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const request = { message: userMessage("x") };
  type Calls = Pick<ReturnType<typeof createClient<typeof pivot>>, "sendMessage" | "sendStreamingMessage">;
  const drain = async (client: Calls, message = request.message): Promise<void> => {
    const events: unknown[] = [];
    for await (const event of client.sendStreamingMessage({ message })) events.push(event);
  };
  const locked = {
    securitySchemes: {
      login: { httpAuthSecurityScheme: { scheme: "Basic" } },
      key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    },
    securityRequirements: [{ schemes: { login: {}, key: {} } }],
  };

  it.each(Object.keys(failures))("%s", async (name) => {
    fails = failures[name] ?? (() => undefined);
    const timeoutMs = name === "silence" ? 50 : 5_000;
    await fc.assert(
      fc.asyncProperty(
        secret,
        fc.constantFrom(...Object.keys(shown), "a header of the options"),
        fc.constantFrom("JSONRPC", "HTTP+JSON"),
        fc.boolean(),
        fc.constantFrom("1.0", "0.3"),
        fc.boolean(),
        async (one, way, binding, stream, version, limited) => {
          const auth = shown[way]?.(one) ?? bearer(one);
          const supportedInterfaces = [{ url: peer.url, protocolBinding: binding, protocolVersion: version }];
          const headersTimeoutMs = limited ? 5_000 : undefined;
          const told: unknown[] = [];
          const agent = await connect(
            { ...card, ...locked, supportedInterfaces },
            {
              // A header of one's own is a credential, too.
              ...(way === "a header of the options" ? { headers: { "X-Key": one } } : { auth }),
              timeoutMs,
              headersTimeoutMs,
              retry: false,
              onWarning: (warning) => told.push(warning),
            },
          );
          const message = { ...request.message, taskId: "t1" };
          const calls = [
            () => (stream ? drain(agent, message) : agent.sendMessage({ message })),
            () => agent.getTask({ id: "t1" }),
            () => agent.task("t1", { maxOutageMs: 1, timeoutMs }).result({ timeoutMs: 2 * timeoutMs }),
          ];
          for (const call of calls) {
            const error = await call().catch((thrown: unknown) => thrown);
            if (error instanceof Error) expectNothing(error, one);
          }
          expectNothing(told, one);
        },
      ),
      { numRuns: name === "silence" ? 5 : 25 },
    );
  });

  it.each([jsonRpc, httpJson])("the same for a transport", { timeout: 60_000 }, async (transport) => {
    for (const name of Object.keys(failures).filter((one) => one !== "silence")) {
      fails = failures[name] ?? (() => undefined);
      for (const [way, make] of Object.entries(shown)) {
        if (way === "what the card asks for") continue;
        const one = `secret-of-${way.replaceAll(/[ ']/g, "-")}-0123456789`;
        for (const mode of [undefined, tolerant]) {
          const told: unknown[] = [];
          const client = createClient(pivot, authenticated(transport, { url: peer.url, auth: make(one) }), {
            mode,
            onWarning: (warning) => told.push(warning),
          });
          for (const call of [() => client.sendMessage(request), () => drain(client)]) {
            const error = await call().catch((thrown: unknown) => thrown);
            if (error instanceof Error) expectNothing(error, one);
          }
          expectNothing(told, one);
        }
      }
    }
  });

  it("what oddities are told of is told all the same", async () => {
    fails = failures["200, oddities that are told"] ?? (() => undefined);
    const told: ClientWarning[] = [];
    const one = "secret-of-an-oddity-0123456789";
    const client = createClient(pivot, authenticated(jsonRpc, { url: peer.url, auth: bearer(one) }), {
      mode: tolerant,
      onWarning: (warning) => told.push(warning),
    });
    await client.sendMessage(request);
    expect(told.map(({ code }) => code)).toContain("legacy_value");
  });

  it("the same while the card is asked for", async () => {
    for (const name of Object.keys(failures).filter((one) => one !== "silence")) {
      let count = 0;
      fails = (seen, response) => {
        if (count++ === 0) reply(response, "locked", { status: 401 });
        else (failures[name] ?? (() => undefined))(seen, response);
      };
      const one = "secret-for-the-card-0123456789";
      const target = `${peer.url}/card.json`;
      expectNothing(await errorOf(() => connect(target, { auth: bearer(one) })), one);
    }
  });

  it("what cannot be sent is not shown", async () => {
    const one = "secret-with-a\nline-break";
    const supportedInterfaces = [{ url: peer.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    for (const auth of [bearer(one), apiKey({ in: "cookie", name: "k", key: one })]) {
      const agent = await connect({ ...card, supportedInterfaces }, { auth, retry: false });
      const error = await errorOf(() => agent.sendMessage(request));
      expect(error.reason).toBe("CONFIG");
      expectNothing(error, "secret-with-a");
    }
    const unfit = credentials({ login: { username: "alice", password: "secret-that-does-not-fit" } });
    const securitySchemes = { login: { apiKeySecurityScheme: { location: "header", name: "x" } } };
    const unmet = {
      ...card,
      supportedInterfaces,
      securitySchemes,
      securityRequirements: [{ schemes: { login: {} } }],
    };
    expectNothing(await errorOf(() => connect(unmet, { auth: unfit })), "secret-that-does-not-fit");
  });
});

describe("authorization servers that fail and tell", () => {
  const clientSecret = "client-secret-0123456789";
  const given = "given-secret-0123456789";
  const secrets = [clientSecret, given];
  const bodies: Readonly<
    Record<string, (told: string) => readonly [status: number, type: string, body: string]>
  > = {
    "an error that it makes up": (told) => [400, "application/json", JSON.stringify({ error: told })],
    "a description": (told) => [
      401,
      "application/json",
      JSON.stringify({ error: "invalid_client", error_description: told, error_uri: told }),
    ],
    "a page": (told) => [500, "text/html", `<p>${told}</p>`],
    "no JSON": (told) => [200, "application/json", told],
    "a token of another type": (told) => [
      200,
      "application/json",
      JSON.stringify({ access_token: told, token_type: "dpop" }),
    ],
    "a token that is none": (told) => [200, "application/json", JSON.stringify({ access_token: [told] })],
    "a token with a strange end": (told) => [
      200,
      "application/json",
      JSON.stringify({ access_token: told, token_type: "bearer", expires_in: told }),
    ],
  };

  it.each(Object.keys(bodies))("%s", async (name) => {
    await using tokens = await AuthorizationServer.start();
    tokens.secrets.set("agent", clientSecret);
    tokens.takeover = ({ path, headers, form }, response) => {
      if (path !== "/token") return false;
      const basic = Buffer.from((headers.authorization ?? "").slice(6), "base64").toString();
      const told = [basic, headers.authorization, form.toString(), ...form.values()].join(" ");
      const [status, type, body] = bodies[name]?.(told) ?? [500, "text/plain", told];
      response.writeHead(status, { "content-type": type }).end(body);
      return true;
    };
    const options = { issuer: tokens.url, clientId: "agent", clientSecret };
    const sources = (["basic", "post"] as const).flatMap((clientAuth) => {
      const own = { ...options, clientAuth };
      return [
        clientCredentials(own),
        refreshToken({ ...own, refreshToken: given }),
        tokenExchange({ ...own, subjectToken: given, actorToken: given }),
        deviceCode({ ...own, prompt: () => undefined }),
        authorizationCode({
          ...own,
          redirectUri: "http://127.0.0.1:9/",
          authorize: async (url) => {
            const back = await tokens.approve(url);
            back.searchParams.set("code", given);
            return back;
          },
        }),
      ];
    });
    for (const source of sources) {
      const error = await errorOf(() => source.token());
      for (const one of secrets) expectNothing(error, one);
    }
    expect(tokens.grants().length).toBeGreaterThanOrEqual(10);
  });

  it("nobody there", async () => {
    const tokens = await AuthorizationServer.start();
    const tokenEndpoint = `${tokens.url}/token`;
    await tokens[Symbol.asyncDispose]();
    const error = await errorOf(() =>
      clientCredentials({ tokenEndpoint, clientId: "agent", clientSecret }).token(),
    );
    expect(error.reason).toBe("NETWORK");
    expect(error.message).toContain("ECONNREFUSED");
    expectNothing(error, clientSecret);
  });
});
