import { A2AError } from "../../errors.js";
import { type Ctx, pointerOf, report } from "../context.js";
import type { Hook } from "../hook.js";

/**
 * Where an agent is reached: `url`, `preferredTransport`, `additionalInterfaces` and one `protocolVersion` in a 0.x card,
 * `supportedInterfaces` with a version each in a 1.x card.
 */
export const interfaces: Hook = {
  up(value, inner, ctx) {
    const card = value as OldCard;
    const out = inner(value, ctx) as NewCard;
    const protocolVersion = minorOf(card.protocolVersion);
    if (card.protocolVersion !== undefined) report(ctx, "normalized", "protocolVersion");
    const first = { url: card.url, transport: card.preferredTransport ?? "JSONRPC" };
    const all = distinct([first, ...(card.additionalInterfaces ?? [])], ({ url, transport }) => [
      url,
      transport,
    ]);
    out.supportedInterfaces = all.map(({ url, transport }) => ({
      url,
      protocolBinding: transport,
      protocolVersion,
    }));
    return out;
  },
  down(value, inner, ctx) {
    const { supportedInterfaces } = value as NewCard;
    const mirrored = new Set(ctx.options.legacyBindings);
    const usable = supportedInterfaces.filter((one) => isLegacy(one) || mirrored.has(one.protocolBinding));
    const kept = distinct(usable, ({ url, protocolBinding }) => [url, protocolBinding]);
    const [first, ...others] = kept;
    if (first === undefined) throw noLegacyInterface(ctx);
    for (const [index, one] of supportedInterfaces.entries()) {
      if (!kept.includes(one)) report(ctx, "dropped", "supportedInterfaces", index);
      else reportOne(one, index, isLegacy(one), ctx);
    }
    const out = inner(value, ctx) as OldCard;
    out.url = first.url;
    out.preferredTransport = first.protocolBinding;
    out.protocolVersion = "0.3.0";
    if (others.length > 0)
      out.additionalInterfaces = others.map(({ url, protocolBinding }) => ({
        url,
        transport: protocolBinding,
      }));
    return out;
  },
  // The main interface of a 0.x card is the first of a 1.x card that speaks 0.x.
  trace(direction, given, path) {
    const member = main[path[0] ?? ""];
    if (direction === "up" || member === undefined) return undefined;
    const index = (given as NewCard).supportedInterfaces.findIndex(isLegacy);
    return ["supportedInterfaces", ...(index < 0 ? [] : [String(index), member])];
  },
};

/** Top-level members of a 0.x card, and those of an interface that they are. */
const main: Readonly<Record<string, string>> = {
  url: "url",
  preferredTransport: "protocolBinding",
  protocolVersion: "protocolVersion",
};

const isLegacy = ({ protocolVersion }: NewInterface): boolean => /^(0\.|$)/.test(protocolVersion);

interface NewInterface {
  readonly url: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly tenant?: string;
}

interface OldInterface {
  readonly url: string;
  readonly transport: string;
}

interface OldCard {
  url: string;
  preferredTransport?: string;
  additionalInterfaces?: readonly OldInterface[];
  protocolVersion?: string;
}

interface NewCard {
  supportedInterfaces: readonly NewInterface[];
}

/** `0.3.0` → `0.3`: a 1.x interface names no patch; a card that names nothing is of 0.3. */
const minorOf = (version = ""): string => /^\d+\.\d+/.exec(version)?.[0] ?? "0.3";

/** What one interface loses: its tenant, and any other way to say 0.3. */
function reportOne(one: NewInterface, index: number, isLegacy: boolean, ctx: Ctx): void {
  const at = ["supportedInterfaces", index] as const;
  if (one.tenant !== undefined && one.tenant !== "") report(ctx, "dropped", ...at, "tenant");
  if (isLegacy && one.protocolVersion !== "0.3") report(ctx, "normalized", ...at, "protocolVersion");
  if (ctx.losses === undefined) return;
  for (const key in one) {
    if (!["url", "protocolBinding", "protocolVersion", "tenant"].includes(key))
      report(ctx, "dropped", ...at, key);
  }
}

/** The items without those whose marks were seen before. */
function distinct<T>(items: readonly T[], marks: (item: T) => readonly string[]): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const mark = JSON.stringify(marks(item));
    return !seen.has(mark) && seen.add(mark);
  });
}

function noLegacyInterface({ path }: Ctx): A2AError {
  const pointer = pointerOf([...path, "supportedInterfaces"]);
  return new A2AError(
    "VERSION_NOT_SUPPORTED",
    "The card has no interface that speaks 0.x (the option legacyBindings names bindings that do so at the same URL)",
    {
      code: -32009,
      violations: [
        { field: "supportedInterfaces", pointer, description: "expected an interface of version 0.2 or 0.3" },
      ],
    },
  );
}
