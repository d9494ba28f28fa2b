/** A slot comes back however its request ends. */
import { expect, it } from "vitest";
import { Slots } from "../../src/http/slots.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "../../src/http/types.js";
import { withSlots } from "../../src/http/with-slots.js";

const request: HttpRequest = {
  method: "GET",
  url: "/",
  headers: {},
  body: () => Promise.resolve(""),
  signal: new AbortController().signal,
};
const refused: HttpResponse = { status: 503, headers: {}, body: "" };
const one = (handle: HttpHandler): HttpHandler =>
  withSlots(handle, new Slots(1), () => Promise.resolve(refused));

it("is free again after a handler that rejects", async () => {
  const handle = one(() => Promise.reject(new Error("no")));
  await expect(handle(request)).rejects.toThrow("no");
  await expect(handle(request)).rejects.toThrow("no");
});

it("is free again after a stream that fails", async () => {
  const body = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("cut")) }),
  };
  const handle = one(() => Promise.resolve({ status: 200, headers: {}, body }));
  const reply = await handle(request);
  expect((await handle(request)).status).toBe(503);
  if (typeof reply.body === "string") throw new Error("it is no stream");
  await expect(reply.body[Symbol.asyncIterator]().next()).rejects.toThrow("cut");
  expect((await handle(request)).status).toBe(200);
});
