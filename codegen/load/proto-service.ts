import type { Cursor } from "./proto-cursor.js";
import type { ProtoRoute, ProtoRpc, ProtoService } from "./proto-facts.js";
import { isDeprecated, statementOption } from "./proto-message.js";
import type { OptionBlock, OptionValue } from "./proto-options.js";

/** Reads one service after its keyword. */
export function parseService(cursor: Cursor): ProtoService {
  const name = cursor.word();
  const rpcs: ProtoRpc[] = [];
  cursor.expect("{");
  while (!cursor.accept("}")) {
    if (cursor.accept("rpc")) rpcs.push(parseRpc(cursor));
    else if (cursor.peek().value === "option") cursor.skipStatement();
    else if (!cursor.accept(";")) cursor.fail(`unexpected "${cursor.peek().value}" in service ${name}`);
  }
  return { name, rpcs };
}

function parseRpc(cursor: Cursor): ProtoRpc {
  const name = cursor.word();
  const input = messageType(cursor);
  cursor.expect("returns");
  const output = messageType(cursor);
  let routes: ProtoRoute[] = [];
  let deprecated = false;
  if (cursor.accept("{")) {
    while (!cursor.accept("}")) {
      if (cursor.accept(";")) continue;
      cursor.expect("option");
      const option = statementOption(cursor);
      if (option[0] === "google.api.http") routes = routesOf(cursor, option[1]);
      if (isDeprecated(option)) deprecated = true;
    }
  } else cursor.expect(";");
  return {
    name,
    input: input.type,
    output: output.type,
    ...(input.stream ? { clientStreaming: true } : {}),
    ...(output.stream ? { serverStreaming: true } : {}),
    routes,
    ...(deprecated ? { deprecated: true } : {}),
  };
}

function messageType(cursor: Cursor): { type: string; stream: boolean } {
  cursor.expect("(");
  const stream = cursor.peek(1).kind === "word" && cursor.accept("stream");
  cursor.accept(".");
  const type = cursor.word();
  cursor.expect(")");
  return { type, stream };
}

const verbs = ["get", "post", "put", "patch", "delete"];

function routesOf(cursor: Cursor, rule: OptionValue): ProtoRoute[] {
  if (typeof rule === "string") return cursor.fail("google.api.http must be a block");
  const verb = verbs.find((candidate) => rule[candidate] !== undefined);
  const path = verb === undefined ? undefined : rule[verb]?.[0];
  if (verb === undefined || typeof path !== "string") {
    return cursor.fail(`google.api.http without one of ${verbs.join(", ")}`);
  }
  const more = rule["additional_bindings"] ?? [];
  return [
    { verb: verb.toUpperCase(), path, ...bodyOf(rule) },
    ...more.flatMap((binding) => routesOf(cursor, binding)),
  ];
}

function bodyOf(rule: OptionBlock): { body?: string } {
  const body = rule["body"]?.[0];
  return typeof body === "string" ? { body } : {};
}
