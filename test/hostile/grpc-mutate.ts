import { mutateBytes } from "../protobuf/mutate-bytes.js";
import type { GrpcDraft } from "./grpc-drafts.js";
import type { Random } from "./random.js";

/** A call as it goes out: header fields and bytes of HTTP/2. */
export interface GrpcAttack {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** It is one whole call, so that a status must be the answer. */
  readonly framed: boolean;
  readonly kinds: readonly string[];
}

const VERSIONS: readonly string[] = ["", "9.9", "1", "1.0.1", "0.3", "0.2", "one", "1.0,0.3", "-1"];
const METADATA: readonly (readonly [string, string])[] = [
  ["grpc-timeout", "0n"],
  ["grpc-timeout", "99999999H"],
  ["grpc-timeout", "soon"],
  ["grpc-encoding", "gzip"],
  ["grpc-encoding", "lzma"],
  ["authorization", "Bearer \u00e9"],
  ["authorization", "x".repeat(4_000)],
  ["a2a-extensions", ",,, ,"],
  ["a2a-extensions", "x".repeat(4_000)],
  ["odd-bin", "!!!"],
  ["traceparent", "00-0-0-0"],
];
const PATHS: readonly string[] = [
  "/",
  "/lf.a2a.v1.A2AService",
  "/lf.a2a.v1.A2AService/",
  "/lf.a2a.v1.A2AService/__proto__",
  "/lf.a2a.v1.A2AService/constructor",
  "/a2a.v1.A2AService/ListTasks",
  "/grpc.health.v1.Health/Check",
  "/grpc.health.v1.Health/Watch",
];

/** Changes a call: mostly its bytes, now and then its path, its metadata or its frame. */
export function mutateGrpc(draft: GrpcDraft, all: readonly GrpcDraft[], random: Random): GrpcAttack {
  const kinds: string[] = [];
  const does = (kind: string, odds: number): boolean => {
    const yes = random.below(100) < odds;
    if (yes) kinds.push(kind);
    return yes;
  };
  const others = all.map(({ bytes }) => bytes);
  const message = does("bytes", 80) ? mutateBytes(draft.bytes, others, random) : Buffer.from(draft.bytes);
  const path = does("path", 8) ? random.pick(PATHS) : draft.path;
  const version = does("version", 8) ? random.pick(VERSIONS) : draft.version;
  const more = does("metadata", 10) ? random.pick(METADATA) : undefined;
  const headers = { ":path": path, "a2a-version": version, ...(more && { [more[0]]: more[1] }) };
  const body = frame(message);
  if (!does("frame", 8)) return { headers, body, framed: true, kinds };
  return { headers, body: FRAMES[random.below(FRAMES.length)]?.(body) ?? body, framed: false, kinds };
}

/** A message with its prefix: not compressed, its length. */
function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const FRAMES: readonly ((body: Buffer) => Buffer)[] = [
  () => Buffer.alloc(0),
  (body) => body.subarray(0, 3),
  (body) => body.subarray(0, Math.max(0, body.length - 2)),
  (body) => Buffer.concat([body, body]),
  (body) => Buffer.concat([Buffer.from([1]), body.subarray(1)]),
  (body) => Buffer.concat([Buffer.from([0x7f]), body.subarray(1)]),
  (body) => Buffer.concat([Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), body.subarray(5)]),
  (body) => Buffer.concat([body, Buffer.from([0, 0, 0])]),
];
