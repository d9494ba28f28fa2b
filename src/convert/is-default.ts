/** Whether a value is the default of its type in protobuf: `""`, `false`, 0, `[]`, `{}`. */
export function isDefault(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === "" || value === false || value === 0;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
