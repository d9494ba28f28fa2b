import type { Field, JsonValue, Meta } from "../ir/types.js";

/** Text that may stand inside a block comment. */
export const commentText = (text: string): string => text.replaceAll("*/", "*\\/").replaceAll("\r", "");

/** What stands before a declaration or field: description, then tags in a fixed order. */
export function docOf(
  node: Pick<Meta, "doc" | "deprecated"> & { pointer?: string; default?: JsonValue },
): string {
  const tags = [
    ...(node.default === undefined ? [] : [`@default ${JSON.stringify(node.default)}`]),
    ...(node.deprecated === undefined ? [] : [`@deprecated ${node.deprecated}`.trim()]),
    ...(node.pointer === undefined ? [] : [`@generated from ${node.pointer}`]),
  ];
  const blocks = [
    ...(node.doc === undefined ? [] : [node.doc.trim()]),
    ...(tags.length > 0 ? [tags.join("\n")] : []),
  ];
  return commentText(blocks.filter((block) => block !== "").join("\n"));
}

/** The doc of a field, with a note where JSON leniency matters to a reader of the type. */
export function fieldDoc(field: Field): string {
  const type = field.type.kind === "scalar" ? NOTES[field.type.name] : undefined;
  const doc = [field.doc?.trim(), type].filter((text) => text !== undefined && text !== "").join(" ");
  return docOf({ ...field, ...(doc === "" ? {} : { doc }) });
}

const NOTES: Partial<Record<string, string>> = {
  int64: "(64-bit integer as a decimal string.)",
  bytes: "(Bytes as base64 text.)",
  timestamp: "(RFC 3339 timestamp.)",
};

/** A block comment of its own, for raw text. */
export const block = (doc: string): string =>
  doc === ""
    ? ""
    : doc.includes("\n")
      ? `/**\n${doc
          .split("\n")
          .map((line) => ` * ${line}`.trimEnd())
          .join("\n")}\n */\n`
      : `/** ${doc} */\n`;
