import type { EmitFile } from "./file.js";

/** A function that a generated module writes its data with: it keeps what is alike out of a bundle. */
export interface Builder {
  /** The local name that is wished for. */
  readonly name: string;
  readonly doc: string;
  /** The function as code, given the local names of types. */
  readonly code: (type: (name: string) => string) => string;
}

/** The builders that one module uses; those that nothing asked for are not written. */
export interface Builders {
  /** A call as code. */
  call(builder: Builder, ...args: readonly string[]): string;
  /** Writes the functions that were called, in the order of first use. */
  declare(): void;
}

/** Builders for a module whose types come from `seam`. They are marked as pure, so that unused data is still dropped. */
export function createBuilders(file: EmitFile, seam: string): Builders {
  const names = new Map<Builder, string>();
  return {
    call(builder, ...args) {
      const name = names.get(builder) ?? file.local(builder.name);
      names.set(builder, name);
      return `${name}(${args.join(", ")})`;
    },
    declare() {
      for (const [{ doc, code }, name] of names) {
        const text = code((type) => file.use(seam, type));
        file.raw(`/** ${doc} */\nconst ${name} = /* @__NO_SIDE_EFFECTS__ */ ${text};`);
      }
    },
  };
}
