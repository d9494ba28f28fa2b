import { createRequire } from "node:module";

/** The version of this package. */
export const packageVersion = (): string => {
  const { version } = createRequire(import.meta.url)("a2a-typed/package.json") as {
    readonly version: string;
  };
  return version;
};
