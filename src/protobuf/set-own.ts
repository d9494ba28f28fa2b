/** Sets a member of its own, whatever its name: `__proto__` would change the object instead. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
