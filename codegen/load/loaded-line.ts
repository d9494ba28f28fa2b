import type { LoadedHop } from "../convert/load-hop.js";
import type { Docs } from "./docs.js";
import type { Overlay } from "./overlay.js";
import type { ProtoFacts } from "./proto-facts.js";
import type { CanonicalSchema } from "./schema.js";

/** Everything the builder of the IR needs of one protocol version; plain data, read before it starts. */
export interface LoadedLine {
  /** `v1.0` */
  readonly line: string;
  /** Where the schema is (to be) found, for headers: `schemas/v1.0/a2a.json`. */
  readonly file: string;
  /** Digest of the canonical text of the schema: the same for shuffled keys. */
  readonly sha256: string;
  readonly schema: CanonicalSchema;
  readonly proto?: ProtoFacts;
  /** The proto facts are those of another file: what they and the schema do not share is passed over, not refused. */
  readonly borrowedProto?: true;
  readonly overlay?: Overlay;
  readonly docs: Docs;
  /** How the ProtoJSON of the proto becomes this JSON, where they are two shapes. */
  readonly formHop?: LoadedHop;
  /** Facts of the overlay that name what this schema does not have are ignored instead of refused. */
  readonly lenient: boolean;
}
