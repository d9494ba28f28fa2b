/** Where the emitted files will live, as far as their imports care. */
export interface Target {
  /** Module that exports the types of the seam (`ServiceDescriptor`, `Table`, `Json`, …). */
  readonly seam: string;
  /** Module of the helper functions that validators call. */
  readonly runtime: string;
  /** Module of the errors of the version. */
  readonly errors: string;
  /** Module of the code that clients speak the ProtoJSON form with over HTTP+JSON. */
  readonly rest: string;
  /** Whether to switch off lint: a user's rules may differ from ours, which the code keeps. */
  readonly unlinted: boolean;
}

/** `generated/<line>/` of this repository. */
export const INTERNAL: Target = {
  seam: "../../src/descriptor.js",
  runtime: "../runtime.js",
  errors: "./errors.js",
  rest: "../../src/binding/form-rest-client.js",
  unlinted: false,
};

/** A folder of a user's project that holds one version. */
export const EXTERNAL: Target = {
  seam: "a2a-typed/codegen-v1",
  runtime: "./runtime.js",
  errors: "./errors.js",
  rest: "a2a-typed/codegen-v1",
  unlinted: true,
};

/** A folder outside this repository that holds one folder per version. */
export const EXTERNAL_LINES: Target = {
  seam: "a2a-typed/codegen-v1",
  runtime: "../runtime.js",
  errors: "./errors.js",
  rest: "a2a-typed/codegen-v1",
  unlinted: true,
};

/** The same for a folder within the one of the version. */
export const inFolder = ({ seam, runtime, rest, unlinted }: Target): Target => ({
  seam: further(seam),
  runtime: further(runtime),
  errors: "../errors.js",
  rest: further(rest),
  unlinted,
});

const further = (module: string): string =>
  module.startsWith("../") ? `../${module}` : module.replace(/^\.\//, "../");
