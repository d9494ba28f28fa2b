import type { Random } from "../hostile/random.js";
import type { Checked } from "./invariants.js";

/** What a fault runs with. */
export interface FaultContext {
  /** Part of the full number of rounds. */
  readonly scale: number;
  readonly random: Random;
  /** The bundled process of an instance. */
  readonly file: string;
  /** URL of a PostgreSQL server that nobody hurts. */
  readonly postgres: string;
}

/** Something that goes wrong, again and again, and what must hold then. */
export interface Fault {
  readonly name: string;
  /** What must be installed. */
  readonly needs?: readonly ("postgres" | "redis" | "mount")[];
  /** How often it struck, in words, and what was found then. */
  run(context: FaultContext): Promise<{ readonly struck: string; readonly checked: Checked }>;
}

/** So many of the full number of rounds, at least `least`. */
export const rounds = ({ scale }: FaultContext, full: number, least = 1): number =>
  Math.max(least, Math.round(full * scale));
