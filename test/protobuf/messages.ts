import ir10 from "../../generated/v1.0/ir.json" with { type: "json" };
import ir03 from "../../generated/v0.3/proto/ir.json" with { type: "json" };
import ir02 from "../../generated/v0.2/proto/ir.json" with { type: "json" };
import * as wire10 from "../../generated/v1.0/grpc.js";
import * as wire03 from "../../generated/v0.3/proto/grpc.js";
import * as wire02 from "../../generated/v0.2/proto/grpc.js";
import * as tables10 from "../../generated/v1.0/tables.js";
import * as tables03 from "../../generated/v0.3/proto/tables.js";
import * as tables02 from "../../generated/v0.2/proto/tables.js";
import type { Model } from "../../codegen/ir/types.js";
import type { GrpcService, Table, WireMessage } from "../../src/descriptor.js";

/** A version, or the form of one, as gRPC speaks it. */
export interface Spoken {
  /** `1.0`, `0.3/proto`. */
  readonly name: string;
  readonly model: Model;
  readonly grpc: GrpcService;
  readonly messages: readonly SpokenMessage[];
}

/** One message of it: how it lies on the wire, and what checks its JSON. */
export interface SpokenMessage {
  readonly name: string;
  readonly wire: WireMessage;
  readonly table: Table<unknown>;
}

const spokenAs = (
  name: string,
  ir: unknown,
  { grpc, ...wires }: { readonly grpc: GrpcService } & Readonly<Record<string, unknown>>,
  tables: object,
): Spoken => ({
  name,
  // What codegen wrote: its own type, which a module of JSON has none of.
  model: ir as Model,
  grpc,
  messages: Object.entries(wires)
    .filter((entry): entry is [string, WireMessage] => Object.hasOwn(entry[1] as object, "fields"))
    .map(([message, wire]) => ({ name: message, wire, table: tableOf(tables, message) })),
});

const tableOf = (tables: object, name: string): Table<unknown> => {
  const table = (tables as Readonly<Record<string, Table<unknown>>>)[name];
  if (table === undefined) throw new Error(`no table of ${name}`);
  return table;
};

/** All of them, newest first. */
export const spoken: readonly Spoken[] = [
  spokenAs("1.0", ir10, wire10, tables10),
  spokenAs("0.3/proto", ir03, wire03, tables03),
  spokenAs("0.2/proto", ir02, wire02, tables02),
];

/** A message by its name. */
export function messageOf(version: string, name: string): SpokenMessage {
  const found = spoken.find((one) => one.name === version)?.messages.find((message) => message.name === name);
  if (found === undefined) throw new Error(`no message ${name} of ${version}`);
  return found;
}
