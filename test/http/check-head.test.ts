/** The sizes of a request's head, each at its limit and one beyond. */
import { expect, it } from "vitest";
import { createHeadCheck } from "../../src/http/check-head.js";
import type { HttpLimits } from "../../src/http/options.js";
import type { HttpRequest } from "../../src/http/types.js";

const request = (url: string, fields = 0): HttpRequest => ({
  method: "GET",
  url,
  headers: Object.fromEntries(Array.from({ length: fields }, (_, i) => [`x-${String(i)}`, "1"])),
  body: () => ({ json: {} }),
  signal: new AbortController().signal,
});
const parameters = (count: number): string => `/?${Array.from({ length: count }, () => "a=1").join("&")}`;

it.each<[string, HttpLimits | undefined, number, (size: number) => HttpRequest, number]>([
  ["a target", undefined, 16_384, (size) => request("/".padEnd(size, "a")), 414],
  ["a query", undefined, 8_192, (size) => request(`/?${"a".repeat(size)}`), 414],
  ["parameters", undefined, 100, (size) => request(parameters(size)), 400],
  ["fields", undefined, 100, (size) => request("/", size), 431],
  ["a target", { urlLength: 20 }, 20, (size) => request("/".padEnd(size, "a")), 414],
  ["a query", { queryLength: 5 }, 5, (size) => request(`/?${"a".repeat(size)}`), 414],
  ["parameters", { queryParameters: 2 }, 2, (size) => request(parameters(size)), 400],
  ["fields", { headerCount: 3 }, 3, (size) => request("/", size), 431],
])("%s within %j may have %i, and not one more (A2A-13.4-f)", (_, limits, most, make, status) => {
  const check = createHeadCheck(limits);
  expect(check(make(most))).toBeUndefined();
  expect(check(make(most + 1))).toMatchObject({ reason: "INVALID_REQUEST", status });
});
