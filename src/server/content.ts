import type { Json, JsonObject } from "../descriptor.js";
import type { Artifact, Message, Part } from "../versions/pivot.js";
import { Role } from "../versions/pivot.js";
import type { ArtifactOptions, Content } from "./agent-types.js";
import { newId } from "./ids.js";

/**
 * Parts as the agent gave them, checked and copied: what it does with its own objects later changes no event.
 * Throws `TypeError` in the agent where one could not go on the wire.
 */
export function toParts(content: Content): Part[] {
  if (typeof content === "string") return [{ text: content }];
  const parts: readonly Part[] = Array.isArray(content) ? (content as readonly Part[]) : [content as Part];
  return parts.map(toPart);
}

/** One checked part. */
export function toPart(content: string | Part): Part {
  if (typeof content === "string") return { text: content };
  if (typeof content !== "object" || (content as unknown) === null) throw notAPart(content);
  const { text, raw, url, data, metadata } = content;
  const set = Number(text !== undefined) + Number(raw !== undefined) + Number(url !== undefined);
  const hasData = data !== undefined;
  if (set + Number(hasData) !== 1) throw notAPart(content);
  if (set === 1 && typeof (text ?? raw ?? url) !== "string") throw notAPart(content);
  return {
    ...content,
    ...(hasData && { data: copyJson(data) }),
    ...(metadata && { metadata: copyJson(metadata) }),
  } as Part;
}

/** True for what stands for itself as an artifact. */
export const isArtifact = (value: unknown): value is Artifact =>
  typeof value === "object" && value !== null && "artifactId" in value;

/** True for a message among what a handler may return. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "messageId" in value;

/** An artifact from content or from an artifact, with an id. */
export function toArtifact(content: Content | Artifact, options: ArtifactOptions = {}): Artifact {
  const given = isArtifact(content) ? content : undefined;
  const parts = toParts(given === undefined ? (content as Content) : given.parts);
  if (parts.length === 0) throw new TypeError("An artifact needs at least one part");
  const { name, description, metadata, extensions } = { ...given, ...options };
  return {
    artifactId: options.artifactId ?? given?.artifactId ?? newId(),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts,
    ...(metadata !== undefined && { metadata: copyJson(metadata) }),
    ...(extensions !== undefined && { extensions: [...extensions] }),
  };
}

/** A message of the agent in its context, and of its task where there is one (A2A-4.1.4-c). */
export function toMessage(content: Content | Message, contextId: string, taskId?: string): Message {
  const given = isMessage(content) ? content : undefined;
  const parts = toParts(given === undefined ? (content as Content) : given.parts);
  if (parts.length === 0) throw new TypeError("A message needs at least one part");
  const { taskId: _other, ...rest } = given ?? {};
  return {
    ...rest,
    messageId: given?.messageId ?? newId(),
    contextId,
    ...(taskId !== undefined && { taskId }),
    role: Role.AGENT,
    parts,
    ...(given?.metadata && { metadata: copyJson(given.metadata) }),
  };
}

/** A copy through JSON text; throws where a value has none (cycles, bigint). */
export function copyJson<T extends Json | JsonObject>(value: T): T {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError("A value of the agent has no JSON form");
  return JSON.parse(text) as T;
}

const notAPart = (value: unknown): TypeError =>
  new TypeError(
    `A part must have exactly one of text, raw, url, data (texts but for data); this is ${describe(value)}`,
  );

const describe = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? `an object with ${Object.keys(value).join(", ") || "no members"}`
    : typeof value;
