/**
 * Milliseconds since it was started, by the clock that says more: the steady one stands still while a machine sleeps, the
 * other one can be set.
 */
export function startStopwatch(): () => number {
  const wall = Date.now();
  const steady = performance.now();
  return () => Math.max(Date.now() - wall, performance.now() - steady);
}
