import type { CallContext, Headers } from "../call.js";
import type { Json, JsonObject } from "../descriptor.js";

/** What is used of a Standard Schema (https://standardschema.dev): zod, valibot, arktype and others are some. */
export interface StandardSchema {
  readonly "~standard": {
    validate(value: unknown): SchemaResult | Promise<SchemaResult>;
  };
}

/** A value, or what is wrong with what was given. */
export type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** Checks data of strangers: a Standard Schema, or a function that returns the value to use or throws. */
export type ExtensionSchema = StandardSchema | ((data: unknown) => unknown);

/** One call for which an extension is active. */
export interface ExtensionCall {
  /** The extension. */
  readonly uri: string;
  /** Name of the operation: `SendMessage`. */
  readonly method: string;
  /** What the metadata of the request, else of its message, holds under the URI, as the schema gave it. */
  readonly data: unknown;
  readonly principal: unknown;
  readonly tenant: string | undefined;
  readonly headers: Readonly<Headers>;
  /** Headers of the reply. */
  readonly replyHeaders: Headers;
  /** Shared with middleware. */
  readonly context: CallContext;
  readonly signal: AbortSignal;
}

/** An operation that an extension adds to JSON-RPC, and to HTTP+JSON where it has a path. */
export interface ExtensionMethod {
  /** Answers with JSON; throws `A2AError`s. Authentication, limits and required extensions are settled before. */
  readonly handle: (params: JsonObject, call: ExtensionCall) => Json | Promise<Json>;
  /** Checks the params. */
  readonly schema?: ExtensionSchema;
  /** Path of the POST route below the base: `/x/search`. Default: none. */
  readonly path?: string;
}

/** An extension that a server offers (A2A-4.6.1-a). It is active only for requests that name exactly its URI. */
export interface ServerExtension {
  /** With its version: a breaking change is another URI (A2A-4.6.3-b). */
  readonly uri: string;
  readonly description?: string;
  /** Refuses requests that do not name it. Default false; not for extensions that only add data (A2A-EXT-f). */
  readonly required?: boolean;
  /** Parameters, as the specification of the extension has them. */
  readonly params?: JsonObject;
  /** Checks what requests and their messages hold under the URI in their metadata; else it is taken as it is. */
  readonly schema?: ExtensionSchema;
  /** Called before the operation of every request that names it; throws an `A2AError` to refuse. */
  readonly activate?: (call: ExtensionCall) => void | Promise<void>;
  /** By JSON-RPC name: `x/search`. */
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
}
