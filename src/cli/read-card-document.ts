import { openAccess } from "../client/connect-access.js";
import { findCard } from "../client/find-card.js";
import { parseUrl } from "../client/public-url.js";
import { startRun } from "../client/run.js";
import { isObject } from "../codec/json.js";
import type { JsonObject } from "../descriptor.js";
import { pivot } from "../versions/pivot.js";
import { readAuth } from "./auth-option.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import type { CardSourceOptions } from "./options.js";
import { readLocal } from "./read-local.js";

/** A card as it was written, from a file, standard input (`-`), or the URL of an agent or of its card. */
export async function readCardDocument(
  source: string,
  options: CardSourceOptions,
  io: Io,
): Promise<JsonObject> {
  const text = await textOf(source, options, io);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new CliFailure(`${nameOf(source)} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw new CliFailure(`${nameOf(source)} is not a card: it is no JSON object`);
  return json;
}

async function textOf(source: string, options: CardSourceOptions, io: Io): Promise<string> {
  if (source === "-") return io.stdin();
  if (!/^https?:\/\//i.test(source)) return readLocal(source);
  const auth = options.auth === undefined ? undefined : (await readAuth(options.auth)).auth;
  const access = await openAccess({ auth });
  const url = parseUrl(source);
  const run = startRun("card", options.timeout === undefined ? 60_000 : options.timeout * 1000, io.signal);
  try {
    const wanted = { version: pivot.version, service: pivot };
    const found = await run.guard(
      access.find(url, run.signal, (fetch) =>
        findCard(url, wanted, { fetch, headers: options.header }, run.signal),
      ),
    );
    return found.text;
  } finally {
    run.release();
  }
}

const nameOf = (source: string): string => (source === "-" ? "standard input" : source);
