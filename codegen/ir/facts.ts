import { InputFault } from "../load/fault.js";
import type { Overlay } from "../load/overlay.js";
import { byName } from "../load/stable-json.js";

type Section = "required" | "minOne" | "types" | "names" | "unions" | "oneofs";
type Spelling = "fields" | "values";

/** The overlay of a line as questions by path; it notices facts that nobody asked for. */
export class Facts {
  private readonly overlay: Overlay | undefined;
  private readonly asked = new Set<string>();

  constructor(overlay: Overlay | undefined) {
    this.overlay = overlay;
  }

  /** The fact of a section about `Type.field` (or `Type`). */
  get<S extends Section>(section: S, path: string): Overlay[S][string] | undefined {
    this.asked.add(`${section}/${path}`);
    const facts: Readonly<Record<string, Overlay[S][string]>> | undefined = this.overlay?.[section];
    return facts !== undefined && Object.hasOwn(facts, path) ? facts[path] : undefined;
  }

  has(section: Section, path: string): boolean {
    return this.get(section, path) !== undefined;
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

  /** Throws when a fact names something that the schema does not have. */
  refuseStale(file: string): void {
    const overlay = this.overlay;
    if (overlay === undefined) return;
    const paths = [
      ...(["required", "minOne", "types", "names", "unions", "oneofs"] as const).flatMap((section) =>
        Object.keys(overlay[section]).map((path) => `${section}/${path}`),
      ),
      ...(["refused", "absent"] as const).flatMap((means) =>
        Object.keys(overlay.blank[means]).map((path) => `blank/${means}/${path}`),
      ),
      ...(["fields", "values"] as const).flatMap((kind) =>
        Object.keys(overlay.spellings[kind]).map((path) => `spellings/${kind}/${path}`),
      ),
    ];
    const stale = paths.filter((path) => !this.asked.has(path)).sort(byName)[0];
    if (stale !== undefined)
      throw new InputFault("names something that the schema does not have", `${file}#/${stale}`);
  }
}
