import { InputFault } from "../load/fault.js";
import type { ProtoFacts } from "../load/proto-facts.js";
import type { Schema } from "../load/schema.js";
import type { LoadedLine } from "../load/loaded-line.js";
import { Facts } from "./facts.js";
import type { Decl } from "./types.js";

/** What the parts of the builder share while one model is built. */
export class Scope {
  readonly loaded: LoadedLine;
  readonly facts: Facts;
  readonly proto: ProtoFacts | undefined;
  /** True where ProtoJSON rules hold. */
  readonly isProtoJson: boolean;
  private readonly found = new Map<string, Decl>();
  /** Types that stand inline in the schema and get a name of their own, by `Type.field`. */
  readonly named = new Map<string, string>();

  constructor(loaded: LoadedLine) {
    this.loaded = loaded;
    this.facts = new Facts(loaded.overlay);
    this.isProtoJson = loaded.schema.encoding === "proto-json";
    // A 0.x proto describes other shapes than the JSON schema of the same release.
    this.proto = this.isProtoJson ? loaded.proto : undefined;
  }

  definition(name: string): Schema | undefined {
    const { definitions } = this.loaded.schema;
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  /** Adds a declaration; the same one twice is fine, another one of that name is not. */
  declare(decl: Decl): void {
    const earlier = this.found.get(decl.name);
    if (
      earlier !== undefined &&
      JSON.stringify({ ...earlier, pointer: "" }) !== JSON.stringify({ ...decl, pointer: "" })
    ) {
      throw new InputFault(
        `two types would be called ${decl.name}`,
        decl.pointer,
        "give it a name in overlay.json",
      );
    }
    if (earlier === undefined) this.found.set(decl.name, decl);
  }

  decl(name: string): Decl | undefined {
    return this.found.get(name);
  }

  get decls(): readonly Decl[] {
    return [...this.found.values()];
  }
}
