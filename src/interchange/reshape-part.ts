import { isObject } from "../codec/json.js";
import { partTable } from "../versions/pivot.js";
import { readOlder } from "./read-older.js";
import { withoutUnknown, type Reshape } from "./reshape.js";

/**
 * A part with a kind or with a file is one of 0.x and converted as such. What a peer adds to it in the words of 1.x
 * (`mediaType` of a text) is kept.
 */
export const reshapePart: Reshape = (value, reading) => {
  const { kind, filename, mediaType, ...others } = value;
  const isFile = isObject(value["file"]);
  if (!isFile && kind !== "text" && kind !== "data" && kind !== "file") return value;
  // Data of 0.x may be wrapped; any other than an object is none that 0.x knows, and needs no more than its kind gone.
  if (!isFile && !(kind === "data" && isObject(value["data"]))) {
    return withoutUnknown(partTable, value, reading.reader);
  }
  const part = readOlder("Part", { ...others, kind: isFile ? "file" : "data" }, reading);
  return {
    ...part,
    ...(filename !== undefined && part["filename"] === undefined && { filename }),
    ...(mediaType !== undefined && part["mediaType"] === undefined && { mediaType }),
  };
};
