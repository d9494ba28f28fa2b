import { EventStream, type StreamWriter } from "../binding/event-stream.js";
import type { EventFrames } from "../binding/event-frames.js";
import { publicError } from "../binding/public-error.js";
import type { ErrorLog } from "../binding/server-types.js";
import { withErrors100 } from "../binding/errors-1-0-0.js";
import { createServedVersion, type ServedVersion } from "../binding/served-version.js";
import { createVersions, type Versions } from "../binding/version.js";
import type { Headers } from "../call.js";
import type { CardSource } from "../card/card-source.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { AuditCall } from "./audit.js";
import type { HttpHandlerOptions } from "./options.js";
import { callLimit, countRefusals, type CallLimit } from "./rate-limit.js";
import type { ObservedCall, TelemetrySource } from "../telemetry/types.js";
import { OpenStreams } from "./open-streams.js";
import type { HttpRequest, HttpResponse } from "./types.js";

/** What the two HTTP bindings share of one handler: its options, resolved, and the streams that are open. */
export interface Exchange {
  readonly versions: Versions<ServedVersion>;
  readonly card: CardSource | undefined;
  readonly bodyLimit: number;
  readonly infer: boolean;
  readonly log: ErrorLog;
  /**
   * The service in whose shape an error is told: that of the version that was asked for, or the newest where none is
   * known or the version itself is what is refused. With the error table that the handler uses.
   */
  errorsOf(service: ServiceDescriptor | undefined, error: A2AError): Promise<ServiceDescriptor>;
  readonly authenticate: HttpHandlerOptions["authenticate"];
  readonly telemetry: TelemetrySource | undefined;
  /** Undefined where nothing is limited. */
  readonly limit: CallLimit | undefined;
  /** Undefined where nobody listens. */
  readonly audit: AuditCall | undefined;
  /** As `errorsOf`, for errors of a version that is in use. */
  withErrorTable(service: ServiceDescriptor): ServiceDescriptor;
  /** What may be said of a failure of a request. */
  refusal(error: unknown, where: string, request: HttpRequest): A2AError;
  /** Opens a stream over a handler's events; throws what happens before the first. */
  stream(events: AsyncIterable<unknown>, headers: Headers, write: StreamOf): Promise<HttpResponse>;
  /** Ends all open streams. */
  close(): void;
  /** Resolves when no stream is open. */
  quiet(): Promise<void>;
}

/** How one stream is written. */
export interface StreamOf {
  readonly request: HttpRequest;
  readonly where: string;
  readonly frames: EventFrames;
  /** The version in whose shape errors are told. */
  readonly shape: ServiceDescriptor;
  readonly observed: ObservedCall | undefined;
}

/** Headers of every event stream. */
export const sseHeaders: Headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** Resolves the options of a handler. */
export function createExchange(options: HttpHandlerOptions): Exchange {
  const { audit, keepAliveMs = 15_000 } = options;
  const limit = callLimit(options.rateLimit);
  const authenticate =
    options.authenticate && limit ? countRefusals(options.authenticate, limit) : options.authenticate;
  const log: ErrorLog = options.logger ?? console;
  const versions = createVersions(options.routers.map(createServedVersion));
  const open = new OpenStreams(keepAliveMs);
  const tables = new Map<ServiceDescriptor, ServiceDescriptor>();
  const withErrorTable: Exchange["withErrorTable"] = (service) => {
    // 0.x has never said which statuses its errors have.
    if (options.errorTable !== "1.0.0" || service.errorData !== "details") return service;
    const known = tables.get(service) ?? withErrors100(service);
    tables.set(service, known);
    return known;
  };
  const refusal: Exchange["refusal"] = (error, where, request) =>
    challenged(publicError(error, log, where, request.signal));
  return {
    versions,
    card: options.card,
    bodyLimit: options.limits?.bodyBytes ?? 10 * 1024 * 1024,
    infer: options.inferVersionFromMethod ?? false,
    log,
    withErrorTable,
    async errorsOf(service, error) {
      const known = error.reason === "VERSION_NOT_SUPPORTED" ? undefined : service;
      return withErrorTable(known ?? (await versions.newest.rpc()).target.service);
    },
    authenticate,
    telemetry: options.telemetry,
    limit,
    audit:
      audit &&
      (({ peer }, method, principal, outcome) => {
        try {
          audit({ method, principal, peer: peer?.address, outcome });
        } catch (error) {
          log.error("a2a: the audit failed", error);
        }
      }),
    refusal,
    async stream(events, headers, of) {
      const body = await EventStream.open(events, new RequestWriter(of, refusal), open);
      if (!body.done) {
        open.add(body);
        of.observed?.streams();
      }
      return { status: 200, headers: { ...headers, ...sseHeaders }, body };
    },
    close() {
      open.close();
    },
    quiet: () => open.quiet(),
  };
}

/** The stream of one request, as its body asks for it. */
class RequestWriter implements StreamWriter {
  readonly frames: EventFrames;
  readonly #request: HttpRequest;
  readonly #where: string;
  readonly #shape: ServiceDescriptor;
  readonly #observed: ObservedCall | undefined;
  readonly #refusal: Exchange["refusal"];

  constructor({ frames, request, where, shape, observed }: StreamOf, refusal: Exchange["refusal"]) {
    this.frames = frames;
    this.#request = request;
    this.#where = where;
    this.#shape = shape;
    this.#observed = observed;
    this.#refusal = refusal;
  }

  get mayBeEmpty(): boolean {
    return this.#request.headers["last-event-id"] !== undefined;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  failure(error: unknown): string {
    const told = this.#refusal(error, this.#where, this.#request);
    this.#observed?.end(told.reason);
    return this.frames.failure(this.#shape, told);
  }

  ended(): void {
    this.#observed?.end();
  }
}

/** A 401 without a challenge gets the common one (RFC 9110 asks for one, A2A-3.3.2-d). */
const challenged = (error: A2AError): A2AError => {
  if (error.reason !== "UNAUTHENTICATED" || error.headers?.["www-authenticate"] !== undefined) return error;
  const { code, status, data, metadata, violations, headers, cause } = error;
  return new A2AError(error.reason, error.message, {
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
    ...(data !== undefined && { data }),
    ...(metadata && { metadata }),
    ...(violations && { violations }),
    headers: { ...headers, "www-authenticate": "Bearer" },
    cause,
  });
};
