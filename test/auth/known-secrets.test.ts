/** Secrets are compared whole: texts whose digests begin or end alike are still others. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { knownSecrets } from "../../src/auth/known-secrets.js";
import { isOneOf } from "../../src/webhook/same-secret.js";

const secret = "the secret";
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A text whose digest has `length` hexadecimal digits in common with that of the secret, from `at`. */
function near(at: number, length = 2): string {
  const wanted = digestOf(secret).slice(at).slice(0, length);
  for (let i = 0; ; i += 1) {
    const text = `guess ${String(i)}`;
    if (digestOf(text).slice(at).slice(0, length) === wanted) return text;
  }
}

describe.each([
  ["the first byte", near(0)],
  ["the last byte", near(-2)],
  ["a byte in the middle", near(30)],
])("a text with %s of the digest", (_, guess) => {
  it("is not the secret of a token or key", async () => {
    const look = knownSecrets({ [secret]: "alice" });
    expect(await look(secret)).toBe("alice");
    expect(await look(guess)).toBeUndefined();
  });

  it("is not the secret of a webhook", async () => {
    expect(await isOneOf(secret, ["another", secret])).toBe(true);
    expect(await isOneOf(guess, [secret])).toBe(false);
  });
});
