import type { MaybePromise } from "../../store/types.js";
import { A2AError } from "../../errors.js";
import type { AuthOperation } from "./types.js";

/** A secret, or what gives it for each request; asked once more after a 401. */
export type Secret = string | ((op: AuthOperation) => MaybePromise<string>);

/** Secrets as they are used: what was shown for a request, and whether there is another one after a 401. */
export function secretSource(name: string, secret: Secret) {
  const shown = new WeakMap<AuthOperation, string>();
  const renewed = new WeakMap<AuthOperation, string>();
  const ask = async (op: AuthOperation): Promise<string> => {
    const value: unknown = typeof secret === "function" ? await secret(op) : secret;
    // The message must not show what it is.
    if (typeof value !== "string" || value === "")
      throw new A2AError("CONFIG", `${name}: expected a text that is not empty`);
    return value;
  };
  return {
    get: async (op: AuthOperation): Promise<string> => {
      const value = renewed.get(op) ?? (await ask(op));
      shown.set(op, value);
      return value;
    },
    ...(typeof secret === "function" && {
      refused: async (op: AuthOperation): Promise<boolean> => {
        const value = await ask(op);
        renewed.set(op, value);
        return value !== shown.get(op);
      },
    }),
  };
}
