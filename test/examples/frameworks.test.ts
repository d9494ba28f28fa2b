import { connect } from "a2a-typed/client";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.js";

/** The card names its port, so the app cannot take any. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe.each([
  ["express.ts", "Express 5", {}],
  ["express.ts", "Express 4", { express: "express4" }],
  ["fastify.ts", "Fastify 5", {}],
  ["hono.ts", "Hono 4", {}],
])("%s with %s", { timeout: 60_000 }, (file, _framework, swap) => {
  it("serves an agent below a path, whose card says where it is, and leaves the rest to the app", async () => {
    const port = await freePort();
    await using app = runExample(file, [], port, swap);
    const [, url = ""] = await app.printed(/listens on (http:\S+)/);
    expect(url).toBe(`http://127.0.0.1:${port}/agents/echo`);
    for (const binding of ["JSONRPC", "HTTP+JSON"]) {
      await using agent = await connect(url, { bindings: [binding] });
      expect(agent.interface.url).toBe(url);
      expect((await agent.send("hello")).text()).toBe("echo: hello");
    }
    const home = await fetch(`http://127.0.0.1:${port}/`);
    expect(await home.text()).toBe("A home page");
  });
});
