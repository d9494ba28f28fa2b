import type { StreamResponse } from "../versions/pivot.js";
import type { Chunk } from "./artifact-writer.js";

/**
 * JSON of a chunk's event. `prefix` is what all chunks of the task begin with; a plain text chunk, which most are,
 * then costs one string.
 */
export function encodeChunk(
  prefix: string,
  event: StreamResponse,
  { artifact, append, lastChunk }: Chunk,
): string {
  const [part] = artifact.parts;
  if (!append || lastChunk || part?.text === undefined || Object.keys(part).length !== 1)
    return JSON.stringify(event);
  const id = JSON.stringify(artifact.artifactId);
  return `${prefix}{"artifactId":${id},"parts":[{"text":${JSON.stringify(part.text)}}]},"append":true}}`;
}
