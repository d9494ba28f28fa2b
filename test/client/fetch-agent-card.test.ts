import { describe, expect, it } from "vitest";
import { A2A as A2Av02 } from "../../generated/v0.2/index.js";
import { A2A as A2Av03 } from "../../generated/v0.3/index.js";
import { fetchAgentCard, type CachedCard } from "../../src/client.js";
import { failure, listen, reply, type TestServer } from "./support.js";

const card = {
  name: "Echo",
  description: "repeats",
  version: "1",
  supportedInterfaces: [
    { url: "https://example.com/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
const wellKnown = "/.well-known/agent-card.json";
const old = "/.well-known/agent.json";

/** A server with a card at the given paths and 404 elsewhere. */
const serving = (paths: readonly string[], headers: Record<string, string> = {}): Promise<TestServer> =>
  listen((seen, response) => {
    if (!paths.includes(seen.url)) reply(response, "<html>none</html>", { status: 404, type: "text/html" });
    else if (headers["etag"] !== undefined && seen.headers["if-none-match"] === headers["etag"]) {
      reply(response, "", { status: 304, headers });
    } else reply(response, card, { headers });
  });
const urls = (server: TestServer): string[] => server.seen.map((seen) => seen.url);

describe("where a card is looked for (A2A-8.2-b)", () => {
  it.each([
    ["", [wellKnown]],
    ["/", [wellKnown]],
    ["/some/where/card.json", ["/some/where/card.json"]],
    ["/agents/a", [`/agents/a${wellKnown}`]],
    ["/agents/a/", [`/agents/a${wellKnown}`]],
    [`/agents/a?key=1`, [`/agents/a${wellKnown}?key=1`]],
  ])("for the path %j", async (path, expected) => {
    await using server = await serving(expected);
    expect(await fetchAgentCard(server.url + path)).toEqual(card);
    expect(urls(server)).toEqual(expected);
    expect(server.seen[0]?.headers).toMatchObject({ "a2a-version": "1.0", accept: "application/json" });
  });

  it("falls back from the path to the origin, also from the page of a single-page site", async () => {
    await using server = await serving([wellKnown]);
    expect((await fetchAgentCard(`${server.url}/rpc`)).name).toBe("Echo");
    expect(urls(server)).toEqual([`/rpc${wellKnown}`, `/rpc${old}`, wellKnown]);
    await using site = await listen((seen, response) => {
      if (seen.url === wellKnown) reply(response, card);
      else reply(response, "<html>welcome</html>", { type: "text/html" });
    });
    expect((await fetchAgentCard(`${site.url}/app`)).name).toBe("Echo");
  });

  it.each([404, 405, 410])("looks further after %i, but not after a failure", async (status) => {
    await using server = await listen((seen, response) => {
      if (seen.url === old) reply(response, card);
      else reply(response, "none", { status, type: "text/plain" });
    });
    expect((await fetchAgentCard(server.url)).name).toBe("Echo");
    await using broken = await listen((_, response) => {
      reply(response, "oops", { status: 500 });
    });
    expect(await failure(fetchAgentCard(broken.url))).toMatchObject({ reason: "HTTP", status: 500 });
    expect(broken.seen).toHaveLength(1);
  });

  it("takes the path of 0.2 where there is none of later versions, and the nearer one first", async () => {
    await using server = await serving([`/agents/a${old}`, wellKnown]);
    expect((await fetchAgentCard(`${server.url}/agents/a/`)).name).toBe("Echo");
    expect(urls(server)).toEqual([`/agents/a${wellKnown}`, `/agents/a${old}`]);
    await using oldest = await serving([old]);
    expect((await fetchAgentCard(oldest.url)).name).toBe("Echo");
    expect(urls(oldest)).toEqual([wellKnown, old]);
    await using pinned = await serving([]);
    await failure(fetchAgentCard(pinned.url, { service: A2Av02 }));
    expect(urls(pinned)).toEqual([old, wellKnown]);
  });

  it("does not look further after a refusal", async () => {
    await using server = await listen((_, response) => {
      reply(response, "no", { status: 401, type: "text/plain" });
    });
    expect((await failure(fetchAgentCard(`${server.url}/rpc`))).reason).toBe("UNAUTHENTICATED");
    expect(server.seen.length).toBe(1);
  });
});

describe("what counts as a card", () => {
  it("says where nothing was found", async () => {
    await using server = await serving([]);
    const error = await failure(fetchAgentCard(`${server.url}/rpc`));
    expect(error).toMatchObject({ reason: "HTTP", status: 404 });
    expect(error.message).toBe(
      `No agent card at ${server.url}/rpc${wellKnown}, ${server.url}/rpc${old}, ${server.url}${wellKnown}, ` +
        `${server.url}${old}: The agent answered HTTP 404: "<html>none</html>"`,
    );
  });

  it("reads the card of any version into the newest shape, and tells what it did", async () => {
    await using server = await listen((_, response) => {
      reply(response, { ...card, supportedInterfaces: undefined, url: "/rpc", protocolVersion: "0.3.0" });
    });
    const problems: string[] = [];
    const read = await fetchAgentCard(server.url, { onProblem: ({ code }) => problems.push(code) });
    expect(read.supportedInterfaces).toEqual([
      { url: `${server.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
    expect(problems).toEqual(["relative_url"]);
    expect((await failure(fetchAgentCard(server.url, { mode: "strict" }))).reason).toBe("DECODE");
  });

  it("reads no more than it is told to", async () => {
    await using server = await serving([wellKnown]);
    const error = await failure(fetchAgentCard(server.url, { maxCardBytes: 100 }));
    expect(error.reason).toBe("PAYLOAD_TOO_LARGE");
  });

  it.each([
    ["a list", []],
    ["half a card", { name: "x" }],
    ["half a text", '{"name":'],
  ])("refuses %s", async (_, body) => {
    await using server = await listen((__, response) => {
      reply(response, body);
    });
    expect((await failure(fetchAgentCard(server.url))).reason).toBe("DECODE");
  });

  it("reads the card of the version that is asked for", async () => {
    const legacy = {
      ...card,
      protocolVersion: "0.3.0",
      url: "https://example.com/",
      supportedInterfaces: undefined,
    };
    await using server = await listen((_, response) => {
      reply(response, legacy);
    });
    const read = await fetchAgentCard(server.url, { service: A2Av03 });
    expect(read.url).toBe("https://example.com/");
    expect(server.seen[0]?.headers["a2a-version"]).toBe("0.3");
  });

  it("ends with its signal and its deadline", async () => {
    await using server = await listen(() => undefined);
    expect((await failure(fetchAgentCard(server.url, { timeoutMs: 20 }))).reason).toBe("TIMEOUT");
    expect((await failure(fetchAgentCard(server.url, { signal: AbortSignal.abort() }))).reason).toBe(
      "ABORTED",
    );
  });
});

describe("redirects", () => {
  /** A server that redirects the well-known path, and has its card at `/moved/card`. */
  const moving = (to: (origin: string) => string, status = 301): Promise<TestServer> =>
    listen((seen, response) => {
      const origin = `http://${seen.headers.host ?? ""}`;
      if (seen.url === "/moved/card") {
        reply(
          response,
          { ...card, supportedInterfaces: undefined, url: "rpc" },
          { headers: { etag: '"1"' } },
        );
      } else reply(response, "", { status, headers: { location: to(origin) } });
    });

  it.each([301, 302, 307, 308])(
    "%i within the origin are followed; the card is where it was found",
    async (status) => {
      await using server = await moving(() => "/moved/card", status);
      const cache = new Map<string, CachedCard>();
      for (let n = 0; n < 2; n++) {
        const read = await fetchAgentCard(server.url, { cache, defaultTtlMs: 60_000 });
        expect(read.supportedInterfaces[0]?.url).toBe(`${server.url}/moved/rpc`);
      }
      expect(urls(server)).toEqual([wellKnown, "/moved/card"]);
    },
  );

  it("to another origin are refused, and nothing is sent there", async () => {
    await using other = await serving([wellKnown]);
    await using server = await moving(() => other.url + wellKnown);
    const error = await failure(fetchAgentCard(server.url, { headers: { authorization: "Bearer x" } }));
    expect(error).toMatchObject({ reason: "HTTP", status: 301 });
    expect(error.message).toBe(
      `${server.url}${wellKnown} redirects to another origin, ${other.url}${wellKnown}; use that one`,
    );
    expect(other.seen).toEqual([]);
    expect(urls(server)).toEqual([wellKnown]);
  });

  it("without end are refused", async () => {
    await using server = await moving((origin) => `${origin}${wellKnown}?again`);
    const error = await failure(fetchAgentCard(server.url));
    expect(error.message).toContain("redirects to http://127.0.0.1");
    expect(server.seen).toHaveLength(6);
  });
});

describe("the cache (A2A-8.6.2-a)", () => {
  const cache = (): Map<string, CachedCard> => new Map();

  it("asks again only once max-age is over, and then with If-None-Match (A2A-8.6.2-b)", async () => {
    const store = cache();
    await using fresh = await serving([wellKnown], { "cache-control": "public, max-age=60", etag: '"1"' });
    for (let i = 0; i < 3; i++) expect(await fetchAgentCard(fresh.url, { cache: store })).toEqual(card);
    expect(fresh.seen.length).toBe(1);

    await using stale = await serving([wellKnown], { "cache-control": "max-age=0", etag: '"2"' });
    for (let i = 0; i < 2; i++) expect(await fetchAgentCard(stale.url, { cache: store })).toEqual(card);
    expect(stale.seen.map((seen) => seen.headers["if-none-match"])).toEqual([undefined, '"2"']);
  });

  it("gives every caller an object of its own", async () => {
    const store = cache();
    await using server = await serving([wellKnown], { "cache-control": "max-age=60" });
    const first = await fetchAgentCard(server.url, { cache: store });
    first.name = "changed";
    expect((await fetchAgentCard(server.url, { cache: store })).name).toBe("Echo");
  });

  it("keeps nothing under no-store, asks every time under no-cache and without max-age, unless told a lifetime (A2A-8.6.2-c)", async () => {
    const count = async (headers: Record<string, string>, defaultTtlMs?: number): Promise<number> => {
      const store = cache();
      await using server = await serving([wellKnown], headers);
      for (let i = 0; i < 2; i++) await fetchAgentCard(server.url, { cache: store, defaultTtlMs });
      return server.seen.length + store.size * 10;
    };
    expect(await count({ "cache-control": "no-store, max-age=60" })).toBe(2);
    expect(await count({ "cache-control": "no-cache, max-age=60" })).toBe(12);
    expect(await count({})).toBe(12);
    expect(await count({}, 60_000)).toBe(11);
    expect(await count({ "cache-control": "max-age=60", age: "60" })).toBe(12);
  });

  it("forgets a card that may not be kept any more", async () => {
    const store = cache();
    const controls = ["max-age=0", "no-store", "max-age=0"];
    await using server = await listen((_, response) => {
      reply(response, card, { headers: { etag: '"1"', "cache-control": controls.shift() ?? "" } });
    });
    for (let i = 0; i < 3; i++) await fetchAgentCard(server.url, { cache: store });
    expect(server.seen.map((seen) => seen.headers["if-none-match"])).toEqual([undefined, '"1"', undefined]);
  });

  it("keeps cards of different versions apart", async () => {
    const store = cache();
    await using server = await serving([wellKnown], { "cache-control": "max-age=60" });
    await fetchAgentCard(server.url, { cache: store });
    await fetchAgentCard(server.url, { cache: store, service: A2Av03 }).catch(() => undefined);
    expect(server.seen.length).toBe(2);
  });
});
