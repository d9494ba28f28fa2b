/**
 * Bytes of messages against those of the official proto files, as Google's implementation for Python writes and reads them:
 * `npm run test:bytes -- --runs 20 --seed 1`. Needs python3 with venv, a package index, and `A2A_OFFICIAL_DIR`; where one of
 * them is missing it says so and ends well, with `--strict` it fails. `--write` renews `test/protobuf/official-bytes.json`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "../../../codegen/emit/format.js";
import { stableJson } from "../../../codegen/load/stable-json.js";
import { decodeMessage } from "../../../src/protobuf/decode-message.js";
import { haveOfficial, officialPath, officialText } from "../../codegen/official-files.js";
import { messageOf, spoken, type Spoken } from "../../protobuf/messages.js";
import { CommandFailed } from "../matrix/command.js";
import { installPython } from "../matrix/install-python.js";
import { type Answer, officialAnswers } from "./official.js";
import { type Sample, samplesOf } from "./samples.js";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    strict: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const more = Number(values.runs);
const seed = Number(values.seed);

/** What differs between a sample and the answer to it. */
function problemOf(version: Spoken, { message, bytes }: Sample, answer: Answer): string | undefined {
  if ("error" in answer) return answer.error;
  if (answer.bytes !== bytes) return `bytes are ${bytes}, the official ones ${answer.bytes}`;
  if (!answer.same) return "its own bytes are another message to the official implementation";
  const { wire } = messageOf(version.name, message);
  const back = JSON.stringify(decodeMessage(wire, Buffer.from(answer.bytes, "hex")));
  const meant = JSON.stringify(decodeMessage(wire, Buffer.from(bytes, "hex")));
  return back === meant ? undefined : `the official bytes are read as ${back}`;
}

async function compare(python: string): Promise<number> {
  let failures = 0;
  const kept: Record<string, Record<string, readonly Pick<Sample, "json" | "bytes">[]>> = {};
  for (const version of spoken) {
    const path = officialPath(version.model.release, "a2a.proto");
    if (path === undefined) throw new Error(`no official a2a.proto of ${version.model.release}`);
    const samples = samplesOf(version, officialText(version.model.release, "a2a.proto"), more, seed);
    const answers = await officialAnswers(python, path, samples);
    const problems = samples.flatMap((sample, index) => {
      const answer = answers[index];
      const problem = answer === undefined ? "no answer" : problemOf(version, sample, answer);
      return problem === undefined ? [] : [`${sample.id}: ${problem}\n  ${sample.json}`];
    });
    for (const problem of problems.slice(0, 20)) console.error(`${version.name} ${problem.slice(0, 2_000)}`);
    failures += problems.length;
    const messages = new Set(samples.map(({ message }) => message));
    console.log(
      `${version.name}: ${String(samples.length)} samples of ${String(messages.size)} messages, ${String(problems.length)} differ`,
    );
    kept[version.name] = Object.fromEntries(
      [...messages].map((message) => [
        message,
        samples.flatMap(({ id, json, bytes }) =>
          / (?:minimal|full)\//.test(id) && id.startsWith(`${message} `) ? [{ json, bytes }] : [],
        ),
      ]),
    );
  }
  if (values.write && failures === 0) {
    const file = fileURLToPath(new URL("../../protobuf/official-bytes.json", import.meta.url));
    writeFileSync(file, await format(file, stableJson(kept)));
  }
  return failures;
}

try {
  const python = haveOfficial("bytes of the official proto")
    ? await installPython(fileURLToPath(new URL("requirements.txt", import.meta.url)))
    : undefined;
  console.log(`bytes: seed ${String(seed)}`);
  if (python === undefined ? values.strict : (await compare(python)) > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.log(`bytes: unavailable, ${error.message}`);
  if (values.strict) process.exitCode = 1;
}
