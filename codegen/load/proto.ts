import { Cursor } from "./proto-cursor.js";
import type { ProtoEnum, ProtoFacts, ProtoMessage, ProtoService } from "./proto-facts.js";
import { parseEnum, parseMessage } from "./proto-message.js";
import { parseService } from "./proto-service.js";
import { tokenize } from "./proto-tokens.js";

/**
 * Reads a proto3 file: messages, enums and services with their HTTP rules. Comments, file options and extensions are
 * skipped; anything it does not know throws with file and line.
 */
export function parseProto(text: string, file = "a2a.proto"): ProtoFacts {
  const cursor = new Cursor(tokenize(text, file), file);
  const messages: ProtoMessage[] = [];
  const enums: ProtoEnum[] = [];
  const services: ProtoService[] = [];
  let pkg = "";
  while (cursor.peek().kind !== "end") {
    const keyword = cursor.peek();
    if (cursor.accept("message")) parseMessage(cursor, "", messages, enums);
    else if (cursor.accept("enum")) enums.push(parseEnum(cursor, ""));
    else if (cursor.accept("service")) services.push(parseService(cursor));
    else if (cursor.accept("package")) {
      pkg = cursor.word();
      cursor.expect(";");
    } else if (["syntax", "edition", "import", "option", "extend"].includes(keyword.value))
      cursor.skipStatement();
    else if (!cursor.accept(";")) cursor.fail(`unexpected "${keyword.value}"`);
  }
  return localNames({ package: pkg, messages, enums, services });
}

/** Names of the file's own package lose the package. */
function localNames(facts: ProtoFacts): ProtoFacts {
  const local = (name: string): string => {
    const absolute = name.replace(/^\./, "");
    return facts.package !== "" && absolute.startsWith(`${facts.package}.`)
      ? absolute.slice(facts.package.length + 1)
      : absolute;
  };
  return {
    ...facts,
    messages: facts.messages.map((m) => ({
      ...m,
      fields: m.fields.map((f) => ({ ...f, type: local(f.type) })),
    })),
    services: facts.services.map((s) => ({
      ...s,
      rpcs: s.rpcs.map((r) => ({ ...r, input: local(r.input), output: local(r.output) })),
    })),
  };
}
