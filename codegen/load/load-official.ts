import { readBundle } from "./dialects/index.js";
import { noDocs, type Docs } from "./docs.js";
import { lineOf } from "./lines.js";
import type { LoadedLine } from "./loaded-line.js";
import type { Overlay } from "./overlay.js";
import type { ProtoFacts } from "./proto-facts.js";
import { parseProto } from "./proto.js";
import { sha256 } from "./source.js";
import { stableJson } from "./stable-json.js";

/** Input of {@link loadOfficial}. */
export interface OfficialFiles {
  /** Text of the `a2a.json`. */
  readonly json: string;
  /** Text of the `a2a.proto`. */
  readonly proto?: string;
  /** Proto facts of the line, for a 1.x `a2a.json` that comes without its proto file. */
  readonly baseProto?: ProtoFacts;
  /** `0.2.4`; it names the line. */
  readonly release: string;
  /** Facts of a line; those about things that this file does not have are ignored. */
  readonly overlay?: Overlay;
  readonly docs?: Docs;
  /** Name of the file, for messages and headers. */
  readonly file?: string;
}

/** Reads official files, or a user's own `a2a.json`, without touching the committed schemas. */
export function loadOfficial(files: OfficialFiles): LoadedLine {
  const { json, proto, baseProto, release, overlay, docs = noDocs, file = "a2a.json" } = files;
  const own = proto === undefined ? undefined : parseProto(proto, "a2a.proto");
  const facts = own ?? baseProto;
  const schema = readBundle(json, release, facts, file);
  return {
    line: lineOf(release),
    file,
    sha256: sha256(stableJson(schema)),
    schema,
    ...(facts === undefined ? {} : { proto: facts }),
    ...(own === undefined && baseProto !== undefined ? { borrowedProto: true } : {}),
    ...(overlay === undefined ? {} : { overlay }),
    docs,
    lenient: true,
  };
}
