import type { A2AError } from "../../../src/errors.js";

/** A conversion as the properties run it. */
export interface Conversion {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly direction: "request" | "reply";
}

/** A refusal of a valid value that the version mapping asks for; `at` ends the pointer to what is refused. */
interface Refusal {
  readonly why: string;
  readonly at: RegExp;
  holds(value: unknown, conversion: Conversion): boolean;
}

const isOlder = (version: string): boolean => version.startsWith("0.");

const refusals: readonly Refusal[] = [
  {
    why: "2.13: a card without an interface of 0.x cannot be one of 0.x",
    at: /\/supportedInterfaces$/,
    holds: (value, { to }) =>
      isOlder(to) &&
      (value as { protocolVersion: string }[]).every(
        ({ protocolVersion }) => !/^(0\.|$)/.test(protocolVersion),
      ),
  },
  {
    why: "2.14: 0.x knows three places for an API key",
    at: /\/location$/,
    holds: (value, { to }) => isOlder(to) && !/^(header|query|cookie)$/i.test(String(value)),
  },
  {
    why: "2.10: the length of a history is no negative number, and one of 32 bits in 1.x",
    at: /\/historyLength$/,
    holds: (value) => Number(value) < 0 || Number(value) > 2 ** 31 - 1,
  },
  {
    why: "2.2: parts without an element are legal in 0.x; refused where a caller sent them",
    at: /\/parts$/,
    holds: (value, { direction }) => direction === "request" && (value as unknown[]).length === 0,
  },
  {
    why: "2.12, 2.14: an object that has no place is dropped; alone, there is nothing left to give",
    at: /^$/,
    holds: (value, { type, to }) =>
      (type === "AuthenticationInfo" &&
        (value as { schemes?: string[] }).schemes?.every((one) => one === "") === true) ||
      (/^(OAuthFlows|OAuth2SecurityScheme|SecurityScheme)$/.test(type) && hasNoFlow(value)) ||
      (type === "SecurityScheme" &&
        to === "0.2" &&
        /mtlsSecurityScheme|mutualTLS/.test(JSON.stringify(value))),
  },
];

/** A group of OAuth flows, or a scheme with one, that has none: legal in 0.x. */
const hasNoFlow = (value: unknown): boolean =>
  Object.keys((value as { flows?: object }).flows ?? (value as object)).length === 0;

/** Whether a valid value may be refused so. */
export const isDocumented = (
  conversion: Conversion,
  given: unknown,
  { violations = [] }: A2AError,
): boolean =>
  violations.length > 0 &&
  violations.every(({ pointer }) =>
    refusals.some(({ at, holds }) => at.test(pointer) && holds(valueAt(given, pointer), conversion)),
  );

/** The value that a JSON pointer leads to; throws where nothing is. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at: unknown = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key))
      throw new Error(`nothing is at ${pointer}`);
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
