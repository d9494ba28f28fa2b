import { Agent, fetch } from "undici";
import { A2AError } from "../errors.js";
import { parseAllowList } from "../net/allow-list.js";
import { guardedConnect } from "../net/guarded-connect.js";
import { createTargetGuard, type Lookup } from "../net/target-guard.js";

/** What may be fetched for an agent. */
export interface FetchFileOptions {
  /** Hosts, addresses and origins that may be reached although they are not public. */
  readonly allow?: readonly string[] | undefined;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** For all of it, in ms. */
  readonly timeoutMs: number;
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup | undefined;
}

/**
 * Fetches a file that an agent names, from public addresses only; no redirect is followed. Rejects with `HTTP`, `NETWORK`
 * or `TIMEOUT`.
 */
export async function fetchFile(uri: string, options: FetchFileOptions): Promise<Uint8Array> {
  const { maxBytes, timeoutMs, lookup } = options;
  const guard = createTargetGuard({ allow: parseAllowList(options.allow ?? []), lookup });
  const problem = guard.problem(uri);
  if (problem !== undefined) throw new A2AError("NETWORK", `The file's URL ${problem}`);
  const dispatcher = new Agent({ connect: guardedConnect(guard, timeoutMs) });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(uri, { dispatcher, signal, redirect: "manual" });
    if (!response.ok) {
      throw new A2AError("HTTP", `The file was answered with ${response.status}`, {
        status: response.status,
      });
    }
    return await readAtMost(response.body ?? [], maxBytes);
  } catch (error) {
    if (error instanceof A2AError) throw error;
    if (signal.aborted) throw new A2AError("TIMEOUT", `The file did not come within ${timeoutMs} ms`);
    throw new A2AError("NETWORK", "The file could not be fetched", { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}

async function readAtMost(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new A2AError("HTTP", `The file is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
