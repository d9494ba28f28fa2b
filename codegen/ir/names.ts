/** `SendMessage` → `sendMessage`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `mediaType` → `MediaType`, `in` → `In`. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `contextId` → `context_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

/** `TaskNotFoundError` → `TASK_NOT_FOUND`, `JSONParseError` → `JSON_PARSE`. */
export function reasonOf(errorName: string): string {
  return errorName
    .replace(/Error$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toUpperCase();
}

/** Keys of the const object of an enum: capitals, without the prefix that all values share with the enum's name. */
export function enumKeys(enumName: string, values: readonly string[]): string[] {
  const prefix = `${snakeCase(enumName).toUpperCase()}_`;
  const strip = values.every((value) => value.startsWith(prefix));
  return values.map((value) => {
    const key = (strip ? value.slice(prefix.length) : value)
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .toUpperCase();
    return /^\d/.test(key) ? `_${key}` : key;
  });
}
