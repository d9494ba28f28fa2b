/** Lets the process end although a timer is set. Timers are objects in Node, plain numbers elsewhere. */
export function unref(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer) (timer as { unref(): void }).unref();
}
