import type { TargetGuard } from "../net/target-guard.js";
import type { Sender } from "./sender.js";

/** A sender that is loaded, with its HTTP client, when there is something to send. */
export function lazySender(loadGuard: () => Promise<TargetGuard>, timeoutMs: number): Sender {
  let loading: Promise<Sender> | undefined;
  const load = async (): Promise<Sender> => {
    const [{ createSender }, guard] = await Promise.all([import("./sender.js"), loadGuard()]);
    return createSender(guard, timeoutMs);
  };
  return {
    send: async (request, signal) => (await (loading ??= load())).send(request, signal),
    close: async () => (await loading)?.close(),
  };
}
