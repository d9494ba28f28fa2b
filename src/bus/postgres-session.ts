import type { Client, ClientConfig } from "pg";
import { A2AError } from "../errors.js";
import { heartbeat } from "./heartbeat.js";
import { scrubber } from "./scrubber.js";
import type { OpenSession, Session, SessionEvents } from "./session.js";

/** How long opening may take, ms. */
const OPENING = 5_000;
/** How long a connection may take to say good-bye, ms. */
const FAREWELL = 500;

/** SQLSTATEs that another try does not change: wrong user or password, no such database, no permission. */
const WRONG_SETUP: ReadonlySet<unknown> = new Set(["28P01", "28000", "3D000", "42501"]);

/** In the order of the array. The payloads of one batch differ, so none of them counts as a repetition. */
const NOTIFY = { name: "a2a-notify", text: "select pg_notify($1, m) from unnest($2::text[]) as m" };

/** Sessions that listen to one channel, and notify it over the same connection. */
export function postgresSessions(
  PgClient: new (config: ClientConfig) => Client,
  { url, channel }: { readonly url: string; readonly channel: string },
): OpenSession {
  const scrub = scrubber(url);
  const failure = (error: unknown): A2AError => {
    const wrong = error instanceof Error && "code" in error && WRONG_SETUP.has(error.code);
    const why = error instanceof Error ? scrub(error.message) : "the connection was lost";
    // Errors of the driver may hold the URL: none is kept as the cause.
    return new A2AError(wrong ? "CONFIG" : "NETWORK", `bus: PostgreSQL: ${why}`);
  };

  return async ({ text, ended, signal }: SessionEvents): Promise<Session> => {
    let client: Client;
    try {
      client = new PgClient({
        connectionString: url,
        connectionTimeoutMillis: OPENING,
        keepAlive: true,
        fallback_application_name: "a2a-typed",
      });
    } catch {
      throw new A2AError("CONFIG", "bus: url is none that the package pg understands");
    }
    let cause = "the connection was lost";
    const end = new Promise<void>((resolve) => client.on("end", resolve));
    client.on("error", (error) => {
      cause = scrub(error.message);
    });
    client.on("end", () => {
      pulse.stop();
      ended(`PostgreSQL: ${cause}`);
    });
    const destroy = (): void => {
      client.connection.stream.destroy();
    };
    const pulse = heartbeat(
      () => {
        cause = "the other side does not answer";
        destroy();
      },
      () => client.query("select 1"),
    );
    signal.addEventListener("abort", destroy);
    try {
      await client.connect();
      // Nothing is written that must survive a crash: no notification waits for the disk.
      await client.query("set synchronous_commit = off");
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      pulse.stop();
      destroy();
      throw failure(error);
    } finally {
      signal.removeEventListener("abort", destroy);
    }
    client.on("notification", ({ payload }) => {
      pulse.alive();
      if (payload !== undefined) text(payload);
    });

    return {
      async send(texts) {
        try {
          await client.query({ ...NOTIFY, values: [channel, texts] });
        } catch (error) {
          throw failure(error);
        }
        pulse.alive();
      },
      async close() {
        const late = setTimeout(destroy, FAREWELL);
        client.end().catch(() => undefined);
        await end;
        clearTimeout(late);
      },
    };
  };
}
