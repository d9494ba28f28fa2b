import { Command, Option } from "commander";
import { decode, type Problem } from "../../codec/decode.js";
import { tolerant } from "../../codec/tolerant.js";
import type { Table } from "../../descriptor.js";
import { isA2AError } from "../../errors.js";
import { loadTables, protocolVersions, type ProtocolVersion } from "../../versions/tables.js";
import { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import { headerOption, jsonOption, timeoutOption } from "../options.js";
import { readLocal } from "../read-local.js";

interface ValidateOptions {
  readonly json?: true;
  readonly header?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly protocol: ProtocolVersion;
  readonly reply?: true;
  readonly tolerant?: true;
}

/** `a2a-typed validate <type> <file|url|->`: checks a JSON document against a type of a protocol version. */
export const validateCommand = (io: Io): Command =>
  new Command("validate")
    .description("check a JSON document against a type of the protocol")
    .argument("<type>", "AgentCard, Message, Task, …")
    .argument("<file>", "path or URL of a JSON document; - reads standard input")
    .addOption(
      new Option("--protocol <version>", "protocol version")
        .choices(protocolVersions)
        .default(protocolVersions[0]),
    )
    .addOption(new Option("--reply", "as a client reads it: unknown names of enums are kept"))
    .addOption(new Option("--tolerant", "also read spellings of other protocol versions"))
    .addOption(jsonOption())
    .addOption(headerOption())
    .addOption(timeoutOption())
    .action(async (type: string, file: string, options: ValidateOptions) => {
      const table = await tableOf(type, options.protocol);
      const value = parse(await read(file, options, io), file);
      const problems: Problem[] = [];
      try {
        const decoded = decode(table, value, {
          direction: options.reply ? "reply" : "request",
          mode: options.tolerant && tolerant,
          problems,
        });
        if (options.json) io.out(JSON.stringify({ valid: true, problems, value: decoded }) + "\n");
        else {
          for (const { pointer, message } of problems) io.out(`note: ${pointer || "/"}: ${message}\n`);
          io.out(`valid: ${type} of A2A ${options.protocol}\n`);
        }
      } catch (error) {
        if (!isA2AError(error)) throw error;
        if (options.json) io.out(JSON.stringify({ valid: false, violations: error.violations ?? [] }) + "\n");
        throw new CliFailure(`not a valid ${type} of A2A ${options.protocol}: ${error.message}`);
      }
    });

async function tableOf(type: string, protocol: ProtocolVersion): Promise<Table<unknown>> {
  const tables = await loadTables(protocol);
  const table = tables.get(type);
  if (table) return table;
  const near = [...tables.keys()]
    .filter((name) => name.toLowerCase().includes(type.toLowerCase()))
    .slice(0, 5);
  const hint = near.length > 0 ? `; did you mean ${near.join(", ")}?` : "";
  throw new CliFailure(`A2A ${protocol} has no type ${type}${hint}`, 2);
}

async function read(file: string, options: ValidateOptions, io: Io): Promise<string> {
  if (file === "-") return io.stdin();
  if (!/^https?:\/\//i.test(file)) return readLocal(file);
  const signals = [io.signal, ...(options.timeout ? [AbortSignal.timeout(options.timeout * 1000)] : [])];
  const response = await fetch(file, { headers: { ...options.header }, signal: AbortSignal.any(signals) });
  if (!response.ok) throw new CliFailure(`${file} answered ${response.status}`);
  return response.text();
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliFailure(
      `${file === "-" ? "standard input" : file} is not JSON: ${(error as Error).message}`,
    );
  }
}
