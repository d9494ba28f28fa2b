import { InputFault } from "../load/fault.js";
import type { Overlay } from "../load/overlay.js";
import { byName } from "../load/stable-json.js";
import type { ScalarName } from "./types.js";

type Spelling = "fields" | "values";

/** The overlay of a line as questions by path; it notices facts that nobody asked for. */
export class Facts {
  private readonly overlay: Overlay | undefined;
  private readonly asked = new Set<string>();

  constructor(overlay: Overlay | undefined) {
    this.overlay = overlay;
  }

  /** The field is required although the schema does not say so. */
  isRequired(path: string): boolean {
    return this.look("required", this.overlay?.required, path) !== undefined;
  }

  /** The field is not required although the proto says so. */
  isOptional(path: string): boolean {
    return this.look("optional", this.overlay?.optional, path) !== undefined;
  }

  /** The list needs one element. */
  needsOne(path: string): boolean {
    return this.look("minOne", this.overlay?.minOne, path) !== undefined;
  }

  /** The scalar that the schema states too loosely. */
  scalarAt(path: string): ScalarName | undefined {
    return this.look("types", this.overlay?.types, path)?.scalar;
  }

  /** The name of something that the schema writes inline. */
  nameAt(path: string): string | undefined {
    return this.look("names", this.overlay?.names, path)?.name;
  }

  /** Two members of the union at once are refused. */
  isExclusive(path: string): boolean {
    return this.look("unions", this.overlay?.unions, path)?.exclusive === true;
  }

  /** Exactly one member of the proto's group must be set. */
  isOneofRequired(path: string): boolean {
    return this.look("oneofs", this.overlay?.oneofs, path)?.required === true;
  }

  /** Groups that the overlay adds to a type: `[name, members, required]`. */
  addedOneofs(type: string): (readonly [name: string, members: readonly string[], required: boolean])[] {
    return Object.entries(this.overlay?.oneofs ?? {}).flatMap(([path, oneof]) => {
      if (!path.startsWith(`${type}.`) || oneof.members === undefined) return [];
      this.asked.add(`oneofs/${path}`);
      return [[path.slice(type.length + 1), oneof.members, oneof.required] as const];
    });
  }

  /** What `""` means in a string field. */
  blank(path: string): "value" | "refused" | "absent" {
    this.asked.add(`blank/refused/${path}`).add(`blank/absent/${path}`);
    const blank = this.overlay?.blank;
    if (blank === undefined) return "value";
    if (Object.hasOwn(blank.refused, path)) return "refused";
    return Object.hasOwn(blank.absent, path) ? "absent" : "value";
  }

  /** Spellings that both modes read. */
  aliases(path: string): readonly string[] {
    return this.look("aliases", this.overlay?.aliases, path)?.also ?? [];
  }

  /** Spellings that only the tolerant mode reads. */
  spellings(kind: Spelling, path: string): readonly string[] {
    this.asked.add(`spellings/${kind}/${path}`);
    const facts = this.overlay?.spellings[kind];
    return (facts !== undefined && Object.hasOwn(facts, path) ? facts[path]?.also : undefined) ?? [];
  }

  /** Whether snake_case is read for every field in tolerant mode. */
  get snakeCase(): boolean {
    return this.overlay?.spellings.snakeCase !== undefined;
  }

  /** Throws when a fact names something that the schema does not have; `section` is where the facts stand. */
  refuseStale(section: string): void {
    const overlay = this.overlay;
    if (overlay === undefined) return;
    const paths = [
      ...(
        ["required", "optional", "minOne", "types", "names", "unions", "oneofs", "aliases"] as const
      ).flatMap((section) => Object.keys(overlay[section]).map((path) => `${section}/${path}`)),
      ...(["refused", "absent"] as const).flatMap((means) =>
        Object.keys(overlay.blank[means]).map((path) => `blank/${means}/${path}`),
      ),
      ...(["fields", "values"] as const).flatMap((kind) =>
        Object.keys(overlay.spellings[kind]).map((path) => `spellings/${kind}/${path}`),
      ),
    ];
    const stale = paths.filter((path) => !this.asked.has(path)).sort(byName)[0];
    if (stale !== undefined)
      throw new InputFault("names something that the schema does not have", `${section}/${stale}`);
  }

  private look<F>(
    section: string,
    facts: Readonly<Record<string, F>> | undefined,
    path: string,
  ): F | undefined {
    this.asked.add(`${section}/${path}`);
    return facts !== undefined && Object.hasOwn(facts, path) ? facts[path] : undefined;
  }
}
