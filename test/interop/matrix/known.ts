import { readFileSync } from "node:fs";
import { z } from "zod";
import { steps, type Step } from "./contract.js";
import { peers, type Row } from "./peers.js";

const one = <T extends z.ZodType>(type: T) => z.union([type, z.array(type)]).optional();

const entry = z.strictObject({
  /** `absent`: that side does not have it at all; `known`: it is wrong there. */
  kind: z.enum(["absent", "known"]),
  peer: one(z.enum(peers.map(({ id }) => id))),
  /** What the peer is: a client of our server, or a server of our client. */
  role: z.enum(["client", "server"]).optional(),
  /** Only with this one of our clients. */
  client: z.string().optional(),
  binding: one(z.enum(["JSONRPC", "HTTP+JSON", "GRPC"])),
  version: one(z.enum(["1.0", "0.3"])),
  step: one(z.enum(steps)),
  /** The members that differ, with what is seen instead; `failed` for the message of a step that broke off. `abc…` is a beginning. */
  seen: z.record(z.string(), z.unknown()),
  /** Why, for the reader. */
  reason: z.string().min(10),
});

/** A difference that is known, and why it is. */
export type KnownEntry = z.infer<typeof entry>;

/** What is known, from `known.json`. */
export const known: readonly KnownEntry[] = z
  .array(entry)
  .parse(JSON.parse(readFileSync(new URL("known.json", import.meta.url), "utf8")));

const admits = <T>(wanted: T | readonly T[] | undefined, value: T): boolean =>
  wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value);

/** What the peer of a row is to us; nothing where two peers are run against each other. */
const roleOf = ({ peer, client, server }: Row): "client" | "server" | undefined =>
  server === "ours" ? "client" : server === peer.id && client !== peer.id ? "server" : undefined;

/** What is known of a step of a row. */
export const knownOf = (row: Row, step: Step): readonly KnownEntry[] => {
  const role = roleOf(row);
  if (role === undefined) return [];
  return known.filter(
    (one) =>
      admits(one.peer, row.peer.id) &&
      admits(one.role, role) &&
      admits(one.client, row.client) &&
      admits(one.binding, row.binding) &&
      admits(one.version, row.version) &&
      admits(one.step, step),
  );
};
