import type { JSONWebKeySet } from "jose";
import type { MaybePromise } from "../store/types.js";
import type { StreamResponse, TaskPushNotificationConfig } from "../versions/pivot.js";

/** A notification as it arrived: a `Request`, or its headers and its body, byte for byte. */
export type IncomingNotification =
  Request | { readonly headers: Headers | HeaderRecord; readonly body: string | Uint8Array };

/** Headers by name, in any case, as Node has them. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The keys of what was processed; a `Set` fits. */
export interface SeenKeys {
  has(key: string): MaybePromise<boolean>;
  add(key: string): unknown;
}

/** What a receiver knows of its registrations. At least one of `token`, `authentication` and `jwks` is needed. */
export interface VerifyOptions {
  /** The token of the registration, several of them, or whether one is known. */
  readonly token?: string | readonly string[] | ((token: string) => MaybePromise<boolean>);
  /** The `authentication` of the registration: `Authorization` must be it, the scheme in any case (A2A-4.3.2-a). */
  readonly authentication?: TaskPushNotificationConfig["authentication"];
  /** The agent's public keys, or the URL of its JWKS: a JWT by one of them must come with the notification. */
  readonly jwks?: string | URL | JSONWebKeySet;
  /** `iss` of the JWT: the agent's URL. Default: any. */
  readonly issuer?: string | readonly string[];
  /** `aud` of the JWT: the URL that was registered. Needed with `jwks`; `false` takes a JWT for anybody. */
  readonly audience?: string | readonly string[] | false;
  /** Whether a task is one that this receiver waits for (A2A-4.3.3-f). Default: any. */
  readonly taskIds?: (id: string) => MaybePromise<boolean>;
  /** What was processed before; it is asked, and never added to. */
  readonly seen?: Pick<SeenKeys, "has">;
  /** Oldest JWT, by its `iat`, in seconds. Default 300. */
  readonly maxAgeSeconds?: number;
  /** How far the clocks of sender and receiver may differ, in seconds. Default 30. */
  readonly clockToleranceSeconds?: number;
  /** Largest body in bytes. Default 10 MiB. */
  readonly maxBytes?: number;
  /** `1.0` reads nothing but that; default: 1.0 and 0.x alike. */
  readonly version?: "1.0";
  /** Takes notifications from anyone: for tests, or behind something that checks them. Default false. */
  readonly allowUnauthenticated?: boolean;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** A notification that was checked. */
export interface Notification {
  /** What happened, in the newest shape; 0.x sends whole tasks. */
  readonly event: StreamResponse;
  readonly taskId: string;
  /** Protocol version (`Major.Minor`) of the body as it came. */
  readonly version: string;
  /** The same for every try of one delivery; undefined where the sender gives nothing to tell a repeat by. */
  readonly key: string | undefined;
  /** `seen` has the key: it was processed before. */
  readonly duplicate: boolean;
}
