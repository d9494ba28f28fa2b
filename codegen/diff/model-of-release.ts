import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildModel } from "../ir/build.js";
import type { Model } from "../ir/types.js";
import { InputFault } from "../load/fault.js";
import { lineOf } from "../load/lines.js";
import { loadLine, supportedLines } from "../load/load-line.js";
import { loadOfficial } from "../load/load-official.js";

/**
 * The model of a release: from the committed line where that is the release (or its minor, `0.3`), else from the
 * official files in `officialDir` (`v0.2.4/a2a.json`) with the overlay of its line.
 */
export async function modelOfRelease(release: string, officialDir: string | undefined): Promise<Model> {
  const line = supportedLines.find((candidate) => candidate === lineOf(release));
  const loaded = line === undefined ? undefined : await loadLine(line);
  if (loaded !== undefined && (loaded.schema.release === release || `v${release}` === line))
    return buildModel(loaded);
  const folder = officialDir === undefined ? undefined : join(officialDir, `v${release}`);
  if (folder === undefined || !existsSync(join(folder, "a2a.json"))) {
    throw new InputFault(
      "is not committed",
      release,
      "set A2A_OFFICIAL_DIR to a folder that has v<release>/a2a.json",
    );
  }
  const protoFile = join(folder, "a2a.proto");
  return buildModel(
    loadOfficial({
      release,
      json: await readFile(join(folder, "a2a.json"), "utf8"),
      ...(existsSync(protoFile) ? { proto: await readFile(protoFile, "utf8") } : {}),
      // What it says about the ProtoJSON form is said of the proto of one release.
      ...(loaded?.overlay === undefined ? {} : { overlay: { ...loaded.overlay, form: undefined } }),
      ...(loaded === undefined ? {} : { docs: loaded.docs }),
    }),
  );
}
