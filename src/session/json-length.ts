/** Length of a value as JSON, in characters; with `indent`, as indented JSON. */
export const jsonLength = (value: unknown, indent = 0): number =>
  JSON.stringify(value ?? null, null, indent).length;
