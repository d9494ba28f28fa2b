import { request } from "node:http";

/** A reply of JSON-RPC. */
interface Reply<T> {
  readonly result?: T;
  readonly error?: { readonly message: string };
}

/**
 * Calls a method over a connection of its own: one that waits for a further call is closed after 5 s, and a busy machine
 * may notice too late.
 */
export async function call<T>(port: number, method: string, params: object): Promise<T> {
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    const own = request({ port, host: "127.0.0.1", method: "POST", headers, agent: false }, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
      response.on("end", () => resolve(said)).on("error", reject);
    });
    own.on("error", reject);
    own.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  });
  const { result, error } = JSON.parse(text) as Reply<T>;
  if (result === undefined) throw new Error(`${method}: ${error?.message ?? text}`);
  return result;
}
