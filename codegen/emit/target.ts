/** Where the emitted files will live, as far as their imports care. */
export interface Target {
  /** Module that exports the types of the seam (`ServiceDescriptor`, `Table`, `Json`, …). */
  readonly seam: string;
  /** Module of the helper functions that validators call. */
  readonly runtime: string;
  /** Module of the errors of the version. */
  readonly errors: string;
  /** Whether to switch off lint: a user's rules may differ from ours, which the code keeps. */
  readonly unlinted: boolean;
}

/** `generated/<line>/` of this repository. */
export const INTERNAL: Target = {
  seam: "../../src/descriptor.js",
  runtime: "../runtime.js",
  errors: "./errors.js",
  unlinted: false,
};

/** A folder of a user's project that holds one version. */
export const EXTERNAL: Target = {
  seam: "a2a-typed/codegen-v1",
  runtime: "./runtime.js",
  errors: "./errors.js",
  unlinted: true,
};

/** A folder outside this repository that holds one folder per version. */
export const EXTERNAL_LINES: Target = {
  seam: "a2a-typed/codegen-v1",
  runtime: "../runtime.js",
  errors: "./errors.js",
  unlinted: true,
};

/** The same for a folder within the one of the version. */
export const inFolder = ({ seam, runtime, unlinted }: Target): Target => ({
  seam: further(seam),
  runtime: further(runtime),
  errors: "../errors.js",
  unlinted,
});

const further = (module: string): string =>
  module.startsWith("../") ? `../${module}` : module.replace(/^\.\//, "../");
