import type { Json } from "../../src/descriptor.js";

/** What the driver asks a server process for. */
export type Asked = "cpu";

/** What a server process says: where it listens, then the microseconds of CPU that it has used. */
export type Said = { readonly address: string } | { readonly cpu: number };

/** Says where the server listens, and answers how much CPU it has used. */
export function announce(address: string): void {
  const say = (said: Said): void => void process.send?.(said);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    say({ cpu: user + system });
  });
  process.on("disconnect", () => process.exit());
  say({ address });
}

/** Events of a stream that a text asks for: `stream 1000`. */
export const askedEvents = (text: string): number => Number(/^stream (\d+)$/.exec(text)?.[1] ?? 0);

/** Lets what was written go out now and then, as a model that thinks would. */
export const breath = (n: number): Promise<void> | undefined =>
  n % 32 === 31 ? new Promise((resolve) => setImmediate(resolve)) : undefined;

/** One word of an answer. */
export const tokenOf = (n: number): string => `token ${String(n)} `;

/** A message of a user, as JSON. */
export const messageOf = (text: string): { readonly [name: string]: Json } => ({
  message: { messageId: "0193a2b0-aaaa-7bbb-8ccc-dddddddddddd", role: "ROLE_USER", parts: [{ text }] },
});
