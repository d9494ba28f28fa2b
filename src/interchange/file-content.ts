import { isObject } from "../codec/json.js";
import type { ObjectRule, Table } from "../descriptor.js";
import { partTable } from "../versions/pivot.js";
import type { FileContent } from "./codec-types.js";

const FILE = ["raw", "url", "filename", "mediaType"];

/** The members of a part that make up a file. */
export const fileContentTable: Table<FileContent> = fileOf(partTable);

function fileOf(part: Table<unknown>): ObjectRule {
  if (part.is !== "object") throw new TypeError("A part is an object");
  const fields = Object.fromEntries(Object.entries(part.fields).filter(([name]) => FILE.includes(name)));
  return { ...part, fields, oneofs: [{ members: ["raw", "url"], required: true }] };
}

/** Whether an object is a file as 0.x writes it, in JSON or in ProtoJSON. */
export const isLegacyFile = (value: unknown): value is object =>
  isObject(value) &&
  ["bytes", "uri", "fileWithBytes", "fileWithUri"].some((name) => Object.hasOwn(value, name));
