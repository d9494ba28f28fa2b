/** The same agent behind every adapter, each on a real socket. */
import express5, { json as json5, type Application, type RequestHandler } from "express";
import express4, { json as json4 } from "express4";
import { fastify as createFastify } from "fastify";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createH2c } from "node:http2";
import type { AddressInfo, Server as NetServer } from "node:net";
import { a2a as expressA2a } from "../../src/express.js";
import { a2a as fastifyA2a } from "../../src/fastify.js";
import { a2a as honoA2a } from "../../src/hono.js";
import { createFetchHandler } from "../../src/fetch.js";
import { createNodeHandler } from "../../src/node.js";
import type { AgentServer } from "../../src/server.js";

/** How an agent is mounted. */
export interface Mount {
  /** Where the framework mounts it; nothing for the origin. */
  readonly prefix?: string;
  /** The app reads and parses JSON bodies before the agent is asked. */
  readonly parses?: boolean;
}

export interface Host {
  readonly name: string;
  /** It has routes of its own, `GET /mine` that answers `mine`, and mounts below a prefix. */
  readonly framework: boolean;
  start(server: AgentServer, mount?: Mount): Promise<Running>;
}

export interface Running extends AsyncDisposable {
  readonly port: number;
}

/** Whom every app takes its callers for. */
export const user = "ada";

const listen = async (server: NetServer, closeAll?: () => void): Promise<Running> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      closeAll?.();
      await closed;
    },
  };
};

const http = (
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Running> => {
  const server: Server = createServer((request, response) => void listener(request, response));
  return listen(server, () => server.closeAllConnections());
};

const expressHost = (name: string, create: () => Application, json: () => RequestHandler): Host => ({
  name,
  framework: true,
  start(server, { prefix, parses = false } = {}) {
    const app = create();
    app.use((request: object, _response: unknown, next: () => void) => {
      Object.assign(request, { user });
      next();
    });
    if (parses) app.use(json());
    const handlers = expressA2a(server);
    if (prefix === undefined) app.use(handlers);
    else app.use(prefix, handlers);
    app.get("/mine", (_request, response) => response.end("mine"));
    return http(app as unknown as Parameters<typeof http>[0]);
  },
});

export const hosts: readonly Host[] = [
  {
    name: "node",
    framework: false,
    start: (server) => http(createNodeHandler(server.handle, { context: () => user })),
  },
  {
    name: "http2",
    framework: false,
    start: (server) => listen(createH2c(createNodeHandler(server.handle, { context: () => user }))),
  },
  {
    name: "fetch",
    framework: false,
    start: (server) => http(getRequestListener(createFetchHandler(server.handle, { context: () => user }))),
  },
  expressHost("Express 4", express4, json4),
  expressHost("Express 5", express5, json5),
  {
    name: "Fastify",
    framework: true,
    async start(server, { prefix, parses = false } = {}) {
      const app = createFastify({ forceCloseConnections: true });
      app.decorateRequest("user", user);
      if (parses) {
        app.addHook("preValidation", async (request) => {
          let text = "";
          for await (const chunk of request.raw) text += String(chunk);
          if (text !== "") request.body = JSON.parse(text);
        });
      }
      await app.register(fastifyA2a, { server, ...(prefix !== undefined && { prefix }) });
      app.get("/mine", async () => "mine");
      await app.listen({ port: 0, host: "127.0.0.1" });
      return {
        port: (app.server.address() as AddressInfo).port,
        [Symbol.asyncDispose]: () => app.close(),
      };
    },
  },
  {
    name: "Hono",
    framework: true,
    start(server, { prefix, parses = false } = {}) {
      const app = new Hono();
      if (parses) {
        app.use(async (c, next) => {
          if (c.req.header("content-type") === "application/json") await c.req.json().catch(() => undefined);
          await next();
        });
      }
      const middleware = honoA2a(server, { context: () => user });
      if (prefix === undefined) app.use(middleware);
      else app.use(`${prefix}/*`, middleware);
      app.get("/mine", (c) => c.text("mine"));
      return http(getRequestListener(app.fetch));
    },
  },
];
