import { InvalidArgumentError, Option, type Command } from "commander";
import { spokenVersions } from "../client/open-interface.js";
import { authOption } from "./auth-option.js";
import { CliFailure } from "./failure.js";

/** Options of every command that talks to an agent. */
export interface CallOptions {
  readonly json?: true;
  /** By lower-cased name. */
  readonly header?: Readonly<Record<string, string>>;
  /** Credentials as `readAuth` reads them. */
  readonly auth?: string;
  /** Origins besides that of the URL that get the headers and credentials. */
  readonly headerOrigin?: readonly string[];
  readonly binding?: "jsonrpc" | "http" | "grpc";
  /** The only protocol version that may be spoken. */
  readonly protocol?: string;
  /** Seconds. */
  readonly timeout?: number;
  /** The URL is the interface itself; no card is read. */
  readonly direct?: true;
}

/** Options of a command that takes a card from anywhere. */
export type CardSourceOptions = Pick<CallOptions, "json" | "header" | "auth" | "timeout">;

/** `--json`. */
export const jsonOption = (): Option => new Option("--json", "print JSON (one line per event in streams)");

/** `--header`, repeatable. */
export const headerOption = (): Option =>
  new Option("--header <Name: value>", "send a header; may be repeated").argParser(addHeader);

/** `--timeout`, in seconds. */
export const timeoutOption = (): Option =>
  new Option("--timeout <seconds>", "give up after this time; for streams: without an event").argParser(
    positive,
  );

/** Adds the options of a command that talks to an agent. */
export const withCallOptions = (command: Command): Command =>
  command
    .addOption(jsonOption())
    .addOption(headerOption())
    .addOption(authOption())
    .addOption(
      new Option("--binding <binding>", "which of the card's interfaces to use").choices([
        "jsonrpc",
        "http",
        "grpc",
      ]),
    )
    .addOption(
      new Option("--protocol <version>", "speak this version only; default: what the agent speaks").choices(
        spokenVersions,
      ),
    )
    .addOption(
      new Option(
        "--header-origin <origin>",
        "send headers and credentials to this origin too; may be repeated",
      ).argParser(addOrigin),
    )
    .addOption(timeoutOption())
    .addOption(
      new Option(
        "--direct",
        "<url> is the interface itself: read no card (JSON-RPC unless --binding, the newest version unless --protocol)",
      ),
    );

/** Adds the argument and options of a command that takes a card from anywhere. */
export const withCardSource = (command: Command): Command =>
  command
    .argument("<card>", "path of a card, URL of an agent or of its card; - reads standard input")
    .addOption(jsonOption())
    .addOption(headerOption())
    .addOption(authOption())
    .addOption(timeoutOption());

/** Parses a whole number of at least `min`. */
export const wholeNumber =
  (min: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min)
      throw new InvalidArgumentError(`Not a whole number from ${min}.`);
    return number;
  };

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

const positive = (value: string): number => {
  const number = Number(value);
  if (!(number > 0) || number > 1e6) throw new InvalidArgumentError("Not a number of seconds.");
  return number;
};

const addHeader = (
  value: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(value);
  // The parser of the command line would print what it refuses, and that may hold a credential.
  if (!match?.[1]) throw new CliFailure('--header: write it as "Name: value"', 2);
  return { ...previous, [match[1].toLowerCase()]: match[2] ?? "" };
};

const addOrigin = (value: string, previous: readonly string[] = []): string[] => {
  if (!URL.canParse(value)) throw new InvalidArgumentError("Not an origin, as in https://api.example.com.");
  return [...previous, value];
};
