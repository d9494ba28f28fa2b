import { A2AError } from "../errors.js";

/** Where a request names its version: a header, or a query parameter of this name. The same in all versions. */
export const VERSION_HEADER = "a2a-version";

/** Which of the served versions a request selects. */
export interface VersionChoice<T> {
  /** Undefined: the version is not served. */
  readonly version: T | undefined;
  /** False where neither header nor query named a version. */
  readonly explicit: boolean;
}

/** The versions that are served, newest first, and how a request chooses one of them (version mapping 4.1). */
export interface Versions<T> {
  readonly newest: T;
  readonly all: readonly T[];
  select(raw: string | undefined): VersionChoice<T>;
  /** The refusal of a version, with what to send instead. */
  refusal(raw: string | undefined): A2AError;
}

/** `Major.Minor` of a version text, patch ignored (A2A-3.6-c); undefined where it is none. */
export function majorMinor(text: string): string | undefined {
  const match = /^\s*(\d{1,9})\.(\d{1,9})(?:\.[0-9A-Za-z.+-]{1,64})?\s*$/.exec(text);
  return match ? `${String(Number(match[1]))}.${String(Number(match[2]))}` : undefined;
}

/** Builds the choice; two of one version, or none at all, are a `CONFIG` error. */
export function createVersions<T extends { readonly version: string }>(served: readonly T[]): Versions<T> {
  const byVersion = new Map<string, T>();
  for (const one of served) {
    if (byVersion.has(one.version))
      throw new A2AError("CONFIG", `Two routers serve version ${one.version}; keep one`);
    byVersion.set(one.version, one);
  }
  const all = [...served].sort((a, b) => compareVersions(b.version, a.version));
  const newest = all[0];
  if (!newest) throw new A2AError("CONFIG", "An HTTP handler needs at least one router");
  const legacy = byVersion.get("0.3") ?? byVersion.get("0.2");
  const absent: VersionChoice<T> = { version: legacy, explicit: false };
  const unknown: VersionChoice<T> = { version: undefined, explicit: true };
  const choices = new Map<string, VersionChoice<T>>(
    [...byVersion].map(([name, version]) => [name, { version, explicit: true }]),
  );
  // 0.2.x is served by the legacy codec where it has no router of its own.
  if (legacy && !choices.has("0.2")) choices.set("0.2", { version: legacy, explicit: true });
  return {
    newest,
    all,
    select(raw) {
      if (raw === undefined) return absent;
      const direct = choices.get(raw);
      if (direct) return direct;
      if (raw.trim() === "") return absent;
      return choices.get(majorMinor(raw) ?? "") ?? unknown;
    },
    refusal(raw) {
      const names = all.map(({ version }) => version).join(", ");
      const asked = raw?.trim() ?? "";
      const hint = `send the header ${display(VERSION_HEADER)}: ${newest.version}`;
      return new A2AError(
        "VERSION_NOT_SUPPORTED",
        asked === ""
          ? `The request names no protocol version, which means 0.3; this call needs another one: ${hint}`
          : `Protocol version ${asked.slice(0, 32)} is not supported (served: ${names}); ${hint}`,
        { code: -32009, metadata: { supportedVersions: names } },
      );
    },
  };
}

/** Order of two `Major.Minor` texts. */
export const compareVersions = (a: string, b: string): number => {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
};

/** `a2a-version` → `A2A-Version`. */
const display = (header: string): string =>
  header.replace(/^a2a/, "A2A").replace(/-([a-z])/g, (_, letter: string) => `-${letter.toUpperCase()}`);
