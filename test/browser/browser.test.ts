import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { proxy, type Proxy } from "../client/remote-proxy.js";
import { findBrowser, openPage, type Browser } from "./browser.js";
import { bundlePage, type PageBundle } from "./bundle-page.js";

const chromium = findBrowser("the client in a browser");
const ignore = (): void => undefined;

const agent = defineAgent({
  card: {
    name: "Counts",
    description: "Does what it is told.",
    skills: [],
    capabilities: { streaming: true },
  },
  async handle(ctx, message) {
    const [verb, rest = ""] = textOf(message).split(/ (.*)/su);
    ctx.working();
    if (verb === "wait") await once(ctx.signal, "abort");
    if (verb === "say") ctx.artifact(rest);
    if (verb === "count") {
      const out = ctx.open({ name: "numbers" });
      for (let n = 1; n <= Number(rest); n++) await out.write(`${String(n)} `);
      await out.close();
    }
    return ctx.completed();
  },
});

/** A script that cannot be loaded is a result too. */
const htmlOf = (entry: string): string => `<!doctype html><title>Page</title><script>
  const told = ({ message = "The script could not be loaded" }) =>
    fetch("/results", { method: "POST", body: JSON.stringify({ page: message }) });
  addEventListener("error", told, true);
</script><script type="module" src="/${entry}"></script>`;

const upTo = (last: number): string => Array.from({ length: last }, (_, n) => `${String(n + 1)} `).join("");

let page: PageBundle;
beforeAll(async () => {
  page = await bundlePage("page");
});

it("a page gets nothing of Node with the client, and no package that it would have to install", () => {
  expect(page.missing).toEqual({ atOnce: [], whenUsed: [] });
});

describe.skipIf(chromium === undefined)("in Chromium", () => {
  let running: RunningServer;
  let cutting: Proxy;
  let pages: Server;
  let browser: Browser;
  let results: Record<string, unknown>;

  beforeAll(async () => {
    running = await serve(agent, {
      port: 0,
      cors: true,
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    cutting = await proxy(running.url, {
      cutAfter: () => (cutting.cuts < 5 ? 4000 + 1117 * cutting.cuts : undefined),
    });
    let arrived: (results: Record<string, unknown>) => void;
    const posted = new Promise<Record<string, unknown>>((resolve) => (arrived = resolve));
    pages = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://page");
      const script = page.files.get(pathname.slice(1));
      if (pathname === "/moved")
        return void response.writeHead(307, { location: `${running.url}/elsewhere` }).end();
      if (script !== undefined) {
        response.writeHead(200, { "content-type": "text/javascript" }).end(script);
      } else if (pathname === "/results") {
        let body = "";
        request.setEncoding("utf8").on("data", (text: string) => (body += text));
        request.on("end", () => {
          response.writeHead(204).end();
          arrived(JSON.parse(body) as Record<string, unknown>);
        });
      } else if (pathname === "/") {
        response.writeHead(200, { "content-type": "text/html" }).end(htmlOf(page.entry));
      } else response.writeHead(404).end();
    });
    pages.listen(0, "127.0.0.1");
    await once(pages, "listening");
    const { port } = pages.address() as AddressInfo;
    const query = new URLSearchParams({ agent: running.url, cutting: cutting.url });
    browser = await openPage(chromium ?? "", `http://127.0.0.1:${String(port)}/?${query.toString()}`);
    results = await Promise.race([posted, browser.failed]);
  }, 60_000);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    pages?.closeAllConnections();
    pages?.close();
    await cutting?.[Symbol.asyncDispose]();
    await running?.close();
  });

  it("loads", () => {
    expect(results["page"]).toBeUndefined();
  });

  it("finds an agent of another origin by its card", () => {
    expect(results["connect"]).toEqual(["Counts", "JSONRPC", "1.0", 0]);
  });

  it("sends and asks", () => {
    const told = ["ü 🙂", "TASK_STATE_COMPLETED", true];
    expect(results["send"]).toEqual({ "JSON-RPC": told, "HTTP+JSON": told });
  });

  it("streams", () => {
    const told = ["1 2 3 4 5 ", "TASK_STATE_COMPLETED"];
    expect(results["stream"]).toEqual({ "JSON-RPC": told, "HTTP+JSON": told });
  });

  it("resumes a stream that is cut five times: nothing is lost, nothing comes twice", () => {
    expect(results["resume"]).toEqual({
      words: upTo(200),
      text: upTo(200),
      same: true,
      resumes: 5,
      snapshots: 0,
    });
    expect(cutting.cuts).toBe(5);
  });

  it("cancels, and leaves a stream", () => {
    expect(results["cancel"]).toEqual(["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"]);
    expect(results["leave"]).toEqual("TASK_STATE_CANCELED");
  });

  it("says what went wrong", () => {
    expect(results["errors"]).toEqual({
      "no such task": "TASK_NOT_FOUND",
      "wrong input": "INVALID_PARAMS",
      "no such host": "NETWORK",
      "another page's": "HTTP",
      "too late": "TIMEOUT",
      aborted: "ABORTED",
      redirect: "HTTP",
    });
  });
});
