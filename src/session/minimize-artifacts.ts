import { partsOf, type AnyArtifact } from "./any-part.js";
import { DEFAULT_LIMIT, DEFAULT_STRING_LENGTH } from "./artifact-settings.js";
import { minimizeData } from "./data-minimize.js";
import { jsonLength } from "./json-length.js";
import type { ArtifactForLLM } from "./llm-types.js";
import { partsForLLM } from "./parts-for-llm.js";
import { TextArtifacts } from "./text-artifacts.js";

/** How artifacts are minimized. */
export interface MinimizeArtifactsOptions {
  /** Artifacts that are longer than this together are minimized; default 50,000 characters. */
  readonly characterLimit?: number | undefined;
  /** Longest text inside of a minimized object; default 5,000 characters. */
  readonly minimizedObjectStringLength?: number | undefined;
  /** Where the files of artifacts were saved, by `artifactId`. */
  readonly savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Put into minimized text as `_tip`; default none. */
  readonly textTip?: string | null | undefined;
  /** Put into minimized data as `_tip`; default none. */
  readonly dataTip?: string | null | undefined;
}

/**
 * Artifacts of any version for a model. Text that is longer than the limit becomes its two ends. Data becomes
 * `{ data: summary }` where all artifacts together are longer than the limit, and stays as it is where a summary would not be
 * shorter. Files are told by their metadata.
 */
export function minimizeArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions = {},
): ArtifactForLLM[] {
  const { characterLimit = DEFAULT_LIMIT, minimizedObjectStringLength = DEFAULT_STRING_LENGTH } = options;
  const { savedFilePaths, textTip, dataTip } = options;
  const total = artifacts.reduce((sum, artifact) => sum + lengthOf(artifact), 0);
  const dataLimit = total > characterLimit ? 0 : characterLimit;
  return artifacts.map((artifact) => ({
    artifactId: artifact.artifactId,
    description: artifact.description ?? null,
    name: artifact.name ?? null,
    parts: partsForLLM(partsOf(artifact), {
      text: (text) => TextArtifacts.minimize(text, { characterLimit, tip: textTip }),
      data: (data) => {
        // A text has no summary: it is cut, and only where it is long itself.
        const limit = typeof data === "string" ? characterLimit : dataLimit;
        const minimized = minimizeData(data, {
          characterLimit: limit,
          minimizedObjectStringLength,
          tip: dataTip,
        });
        return minimized["data"] === data ? data : minimized;
      },
      savedTo: pathsOf(savedFilePaths ?? {}, artifact.artifactId),
    }),
  }));
}

const pathsOf = (
  paths: Readonly<Record<string, readonly string[]>>,
  id: string,
): readonly string[] | undefined => (Object.hasOwn(paths, id) ? paths[id] : undefined);

/** What a model would have to read of an artifact as it is; of files it reads no bytes. */
const lengthOf = (artifact: AnyArtifact): number =>
  partsOf(artifact).reduce((sum, part) => {
    if (part.kind === "text") return sum + part.text.length;
    return part.kind === "data" ? sum + jsonLength(part.data, 2) : sum;
  }, 0);
