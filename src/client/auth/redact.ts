import { A2AError } from "../../errors.js";
import { withoutSecrets } from "./without-secrets.js";

/**
 * The same failure without what was shown to the peer, which may echo it: message, data, headers, violations. A cause that
 * holds a secret is left out.
 */
export function redacted(error: unknown, secrets: ReadonlySet<string>): unknown {
  if (!(error instanceof A2AError) || secrets.size === 0) return error;
  const { reason, code, status, message, metadata, violations, headers, data } = error;
  const held = { message, metadata, violations, headers, data };
  const kept = withoutSecrets(held, secrets);
  const cause = causeOf(error, secrets);
  if (JSON.stringify(held) === JSON.stringify(kept) && cause === error.cause) return error;
  return new A2AError(reason, kept.message, { ...kept, code, status, cause });
}

function causeOf({ cause }: A2AError, secrets: ReadonlySet<string>): unknown {
  for (let one: unknown = cause, depth = 0; one instanceof Error && depth < 10; one = one.cause, depth++) {
    const texts = [
      one.message,
      one.stack ?? "",
      ...Object.values(one).map((value: unknown) => json(value) ?? ""),
    ];
    if (texts.some((text) => withoutSecrets(text, secrets) !== text)) return undefined;
  }
  return cause;
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
