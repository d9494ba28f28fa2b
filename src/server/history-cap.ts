import type { Interceptor } from "../call.js";

/** Messages of a history that replies show at most, whatever is asked for (A2A-3.2.4: the server may show fewer). */
export function historyCap(most: number): Interceptor {
  const capped = (length: unknown): number => (typeof length === "number" ? Math.min(length, most) : most);
  return (next) => (call) => {
    const input = call.input as { historyLength?: number; configuration?: { historyLength?: number } };
    switch (call.methodName) {
      case "getTask":
      case "listTasks":
        return next({ ...call, input: { ...input, historyLength: capped(input.historyLength) } });
      case "sendMessage":
      case "sendStreamingMessage": {
        const { configuration } = input;
        const historyLength = capped(configuration?.historyLength);
        return next({ ...call, input: { ...input, configuration: { ...configuration, historyLength } } });
      }
      default:
        return next(call);
    }
  };
}
