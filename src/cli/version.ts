import { createRequire } from "node:module";

/** Put in by the bundler. */
declare const A2A_TYPED_VERSION: string | undefined;

/** The version of this package. */
export function packageVersion(): string {
  if (typeof A2A_TYPED_VERSION === "string") return A2A_TYPED_VERSION;
  // Run from its sources.
  const { version } = createRequire(import.meta.url)("a2a-typed/package.json") as {
    readonly version: string;
  };
  return version;
}
