import express, { type Application } from "express";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** Serves what `mount` adds to an Express application on a free port of this machine; `mount` is told the base URL. */
export async function listen(mount: (app: Application, url: string) => void): Promise<string> {
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mount(app, url);
  return url;
}
