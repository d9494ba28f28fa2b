import { A2AError } from "../../../errors.js";
import { parseJson } from "../../parse-json.js";
import type { FetchLike } from "../../fetch-like.js";
import { textOf } from "../../http-body.js";
import { publicUrl } from "../../public-url.js";
import { endpoint } from "./endpoint.js";
import type { OAuthOptions } from "./options.js";

/** A request as `oauth4webapi` makes it. */
interface OAuthRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/**
 * Requests to the authorization server: no redirect, a deadline, a limit. Its errors name the endpoint and nothing that
 * was sent. ID tokens are left out of answers: nobody asks who the user is.
 */
export function oauthFetch(
  options: Pick<OAuthOptions, "fetch" | "timeoutMs" | "maxBytes">,
): (url: string, request: OAuthRequest) => Promise<Response> {
  const { timeoutMs = 10_000, maxBytes = 65_536 } = options;
  const send: FetchLike = options.fetch ?? ((url, init) => fetch(url, init));
  return async (href, { method, headers, body }) => {
    const url = endpoint("The endpoint of the authorization server", href);
    const where = publicUrl(url);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(url.href, {
        method,
        headers,
        ...(body instanceof URLSearchParams && { body: body.toString() }),
        signal,
        redirect: "manual",
      });
      const text = await within(textOf(response, signal, maxBytes), signal);
      if (response.status < 200 || (response.status > 299 && response.status < 400)) {
        throw new A2AError("HTTP", `${where} redirects; name the endpoint that it leads to`);
      }
      return new Response(withoutIdToken(text), {
        status: response.status,
        headers: Object.fromEntries([...response.headers].filter(([name]) => KEPT.has(name))),
      });
    } catch (error) {
      if (signal.aborted)
        throw new A2AError("TIMEOUT", `${where} did not answer within ${String(timeoutMs)} ms`);
      if (error instanceof A2AError) throw limited(error, where, maxBytes);
      // The cause may quote the request.
      throw new A2AError("NETWORK", `Could not reach ${where}${codeOf(error)}`);
    }
  };
}

const KEPT: ReadonlySet<string> = new Set(["content-type", "www-authenticate"]);

const limited = (error: A2AError, where: string, maxBytes: number): A2AError =>
  error.reason === "PAYLOAD_TOO_LARGE"
    ? new A2AError("PAYLOAD_TOO_LARGE", `The answer of ${where} exceeds maxBytes (${String(maxBytes)})`)
    : error;

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown; message?: unknown } };
  const shown = code ?? cause?.code;
  return typeof shown === "string" && /^[A-Z_]{1,40}$/.test(shown) ? ` (${shown})` : "";
}

function withoutIdToken(text: string): string {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || !("id_token" in json)) return text;
  return JSON.stringify({ ...json, id_token: undefined });
}

/** Also for a fetch function that does not look at its signal once the headers are there. */
const within = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(new Error("late"));
    });
    promise.then(resolve, reject);
  });
