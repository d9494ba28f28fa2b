import type { Random } from "./random.js";
import type { Draft } from "./valid-requests.js";

/** What goes out. `framed`: it is one whole request, so that there must be an answer. */
export interface Attack {
  readonly bytes: Buffer;
  readonly framed: boolean;
  /** Kinds of mutation, for the counts. */
  readonly kinds: readonly string[];
}

const STRINGS: readonly string[] = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udfff\ud800",
  "\uffff",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "true",
  "-1",
  "1e999",
  "../../etc/passwd",
  "%00",
  "%",
  "%zz",
  "%2e%2e%2f",
  "a\r\nX-Injected: 1",
  "{{7*7}}",
  "${x}",
  "'; drop table tasks; --",
  "<script>",
  "a".repeat(300),
  "é".repeat(200),
  "🌍",
  "TASK_STATE_NONE",
  "9".repeat(400),
];
const NUMBERS: readonly string[] = [
  "1e400",
  "-1e400",
  "-0",
  "1e-400",
  "9007199254740993",
  "2147483648",
  "1.5",
  "9".repeat(310),
  "0x10",
  "NaN",
];
const VERBS: readonly string[] = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "TRACE",
  "get",
  "SEARCH",
];
const NAMES: readonly string[] = [
  "A2A-Version",
  "Content-Type",
  "Accept",
  "A2A-Extensions",
  "Last-Event-ID",
  "Authorization",
  "Origin",
  "If-None-Match",
  "If-Modified-Since",
  "X-A2A-Extensions",
  "Traceparent",
  "Forwarded",
  "X-Forwarded-Host",
  "Content-Encoding",
  "Expect",
  "Cookie",
];

/** Text that stands in the JSON for a value that JSON.stringify cannot write. */
const RAW = "\u0001raw";

type Mutation = (draft: Draft, random: Random) => void;

const anyValue = (random: Random): unknown => {
  switch (random.below(8)) {
    case 0:
      return random.pick(STRINGS);
    case 1:
      return RAW + random.pick(NUMBERS);
    case 2:
      return null;
    case 3:
      return RAW + nested(random);
    case 4:
      return random.pick([{}, [], [[]], [null], true, false, 0, -1]);
    default:
      return random.json();
  }
};

const nested = (random: Random): string => {
  const depth = random.pick([99, 100, 101, 1_000, 20_000]);
  return random.below(2) === 0
    ? "[".repeat(depth) + "]".repeat(depth)
    : '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
};

/** Changes one member somewhere in the JSON: another value, gone, doubled under another name, wrapped. */
const structure: Mutation = (draft, random) => {
  draft.json = changed(draft.json, random, random.below(6));
};

function changed(value: unknown, random: Random, depth: number): unknown {
  if (depth === 0 || typeof value !== "object" || value === null) return anyValue(random);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    const copy: unknown[] = [...(value as unknown[])];
    if (random.below(4) === 0) copy.splice(at, random.below(2), anyValue(random));
    else copy[at] = changed(copy[at], random, depth - 1);
    return copy;
  }
  const entries = Object.entries(value);
  const [key = "", old] = entries[random.below(entries.length)] ?? [];
  const others = entries.filter(([name]) => name !== key);
  switch (random.below(6)) {
    case 0:
      return Object.fromEntries(others);
    case 1:
      return Object.fromEntries([...entries, [random.pick(STRINGS), anyValue(random)]]);
    case 2:
      return Object.fromEntries([
        ...others,
        [random.pick([key.toUpperCase(), `${key}_`, key.replace(/[A-Z]/g, "_$&").toLowerCase()]), old],
      ]);
    default:
      return Object.fromEntries([...others, [key, changed(old, random, depth - 1)]]);
  }
}

const header: Mutation = ({ headers }, random) => {
  const at = random.below(headers.length);
  const value = random.pick([
    ...STRINGS,
    "1.0",
    "0.3",
    "0.2",
    "9.9",
    "1.0, 0.3",
    "text/html",
    "application/json; charset=utf-16",
    "a/b;".repeat(50),
    "*/*;q=x",
  ]);
  switch (random.below(4)) {
    case 0:
      headers.splice(at, 1);
      break;
    case 1:
      for (let i = random.below(150); i >= 0; i -= 1) headers.push([`X-${String(i)}`, value]);
      break;
    case 2:
      headers.push([random.pick(NAMES), value]);
      break;
    default:
      headers[at] = [headers[at]?.[0] ?? "X", value];
  }
};

const path: Mutation = (draft, random) => {
  const parts = draft.path.split("/");
  const at = random.below(parts.length);
  switch (random.below(5)) {
    case 0:
      parts.splice(at, 1);
      break;
    case 1:
      parts.splice(at, 0, random.pick(STRINGS));
      break;
    case 2:
      parts.push("x".repeat(random.pick([10, 1_000, 17_000])));
      break;
    case 3:
      parts[at] = random.pick([
        "tasks",
        "v1",
        "message:send",
        ":cancel",
        "..",
        ".",
        "tenant",
        ".well-known",
        "%2F",
      ]);
      break;
    default:
      parts[at] = (parts[at] ?? "") + random.pick(STRINGS);
  }
  draft.path = parts.join("/");
  if (!draft.path.startsWith("/") && random.below(10) > 0) draft.path = `/${draft.path}`;
};

const query: Mutation = (draft, random) => {
  const name = random.pick([
    "historyLength",
    "pageSize",
    "pageToken",
    "status",
    "contextId",
    "tenant",
    "A2A-Version",
    "includeArtifacts",
    "statusTimestampAfter",
    "x",
    "__proto__",
  ]);
  const value = random.pick([...STRINGS, ...NUMBERS, "1.0", "true"]);
  const one = `${name}=${random.below(2) === 0 ? encodeURIComponentSafe(value) : value}`;
  draft.query += (draft.query === "" ? "" : "&") + (random.below(20) === 0 ? `${one}&`.repeat(200) : one);
};

const encodeURIComponentSafe = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "?"));

const verb: Mutation = (draft, random) => {
  draft.verb = random.pick(VERBS);
};

const MUTATIONS: Readonly<Record<string, Mutation>> = { structure, header, path, query, verb };

/** A body whose bytes are changed: cut, flipped, doubled, no UTF-8. */
function spoiled(body: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(body);
  const at = random.below(bytes.length + 1);
  switch (random.below(5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
        bytes.subarray(at),
      ]);
    case 2:
      return Buffer.concat([bytes, bytes]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(STRINGS)), bytes.subarray(at)]);
    default:
      for (let i = random.below(8); i >= 0 && bytes.length > 0; i -= 1)
        bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
  }
}

// One line of a head cannot hold everything; what it cannot is sent as bytes that Node refuses by itself.
const inHead = (text: string): Buffer => Buffer.from(text.replace(/[\r\n]+[^]*/, ""), "utf8");

function written(draft: Draft, body: Buffer): Buffer {
  const target = draft.path + (draft.query === "" ? "" : `?${draft.query}`);
  const lines = [
    inHead(`${draft.verb} ${target.replaceAll(" ", "%20")} HTTP/1.1`),
    Buffer.from("Host: localhost"),
    ...draft.headers.map(([name, value]) => inHead(`${name}: ${value}`)),
    ...(body.length > 0 ? [Buffer.from(`Content-Length: ${String(body.length)}`)] : []),
  ];
  return Buffer.concat([...lines.flatMap((line) => [line, Buffer.from("\r\n")]), Buffer.from("\r\n"), body]);
}

const textOf = (json: unknown): string =>
  json === undefined
    ? ""
    : JSON.stringify(json).replace(/"\\u0001raw((?:[^"\\]|\\.)*)"/g, (_, raw: string) =>
        raw.replaceAll('\\"', '"'),
      );

/** A valid request with one to three faults. */
export function mutate(valid: Draft, random: Random): Attack {
  const draft: Draft = { ...valid, headers: valid.headers.map(([name, value]) => [name, value]) };
  const kinds: string[] = [];
  for (let i = random.below(3); i >= 0; i -= 1) {
    const kind =
      draft.json !== undefined && random.below(2) === 0 ? "structure" : random.pick(Object.keys(MUTATIONS));
    if (kind === "structure" && draft.json === undefined) continue;
    MUTATIONS[kind]?.(draft, random);
    kinds.push(kind);
  }
  let body = Buffer.from(textOf(draft.json), "utf8");
  if (body.length > 0 && random.below(6) === 0) {
    body = Buffer.from(spoiled(body, random));
    kinds.push("bytes");
  }
  const bytes = written(draft, body);
  if (random.below(12) > 0) return { bytes, framed: true, kinds };
  // The whole of it, head and all.
  return { bytes: spoiled(bytes, random), framed: false, kinds: [...kinds, "wire"] };
}
