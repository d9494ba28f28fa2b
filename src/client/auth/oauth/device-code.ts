import { A2AError } from "../../../errors.js";
import type { MaybePromise } from "../../../store/types.js";
import { oauthClient, type OAuthClient } from "./oauth-client.js";
import { oauthCode, oauthError } from "./oauth-error.js";
import type { OAuthOptions } from "./options.js";
import { tokenProvider, type TokenSource } from "./token-provider.js";
import type { Tokens } from "./tokens.js";

/** What the user has to do. */
export interface DevicePrompt {
  /** To be opened on any device. */
  readonly verificationUri: string;
  /** To be typed there. */
  readonly userCode: string;
  /** The same with the code in it, for a link or a QR code. */
  readonly verificationUriComplete?: string | undefined;
  /** Seconds until the code is over. */
  readonly expiresIn: number;
}

/** Options of `deviceCode`. */
export interface DeviceCodeOptions extends OAuthOptions {
  readonly deviceAuthorizationEndpoint?: string | undefined;
  /** Shows the user what to do. */
  readonly prompt: (what: DevicePrompt) => MaybePromise<void>;
  /** Stops waiting for the user. */
  readonly signal?: AbortSignal | undefined;
}

/** Seconds between questions where the server does not say (RFC 8628 3.5), and what `slow_down` adds. */
const INTERVAL = 5;

/**
 * OAuth 2 device code (RFC 8628): a user signs in on another device, with the first call or with `token()`. Later tokens
 * come by refresh token.
 */
export function deviceCode(options: DeviceCodeOptions): TokenSource {
  return tokenProvider({
    options,
    open: oauthClient(options, { device_authorization_endpoint: options.deviceAuthorizationEndpoint }),
    interactive: true,
    grant: (opened) => signIn(opened, options),
  });
}

const NAME = "OAuth device code";

async function signIn(
  opened: OAuthClient,
  { prompt, signal, now = Date.now }: DeviceCodeOptions,
): Promise<Tokens> {
  const { oauth, server, client, clientAuth, http, parameters } = opened;
  if (server.device_authorization_endpoint === undefined) {
    throw new A2AError(
      "CONFIG",
      `${NAME}: the server has no device authorization endpoint; give deviceAuthorizationEndpoint`,
    );
  }
  const asked = await attempt(async () => {
    const response = await oauth.deviceAuthorizationRequest(server, client, clientAuth, parameters, http);
    return oauth.processDeviceAuthorizationResponse(server, client, response);
  });
  const until = now() + asked.expires_in * 1000;
  await prompt({
    verificationUri: asked.verification_uri,
    userCode: asked.user_code,
    verificationUriComplete: asked.verification_uri_complete,
    expiresIn: asked.expires_in,
  });
  let seconds = asked.interval ?? INTERVAL;
  for (;;) {
    await pause(seconds * 1000, signal);
    if (now() >= until) throw new A2AError("TIMEOUT", `${NAME}: nobody signed in before the code was over`);
    let waiting = false;
    const tokens = await opened
      .tokens(NAME, async () => {
        try {
          const response = await oauth.deviceCodeGrantRequest(
            server,
            client,
            clientAuth,
            asked.device_code,
            http,
          );
          return await oauth.processDeviceCodeResponse(server, client, response);
        } catch (error) {
          const code = oauthCode(error);
          waiting = code === "authorization_pending" || code === "slow_down";
          if (code === "slow_down") seconds += INTERVAL;
          throw error;
        }
      })
      .catch((error: unknown) => {
        if (waiting) return undefined;
        throw error;
      });
    if (tokens !== undefined) return tokens;
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw oauthError(NAME, error);
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new A2AError("ABORTED", `${NAME}: waiting for the user was stopped`));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
