import type { Json, JsonObject } from "../descriptor.js";
import type { Artifact, Message, Part, Task } from "../versions/pivot.js";
import { artifactTable, messageTable, partTable, Role } from "../versions/pivot.js";
import type { ArtifactOptions, Content } from "./agent-types.js";
import { checked } from "./checked.js";
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
  // Most parts: nothing else is there to be checked.
  if (typeof text === "string" && Object.keys(content).length === 1) return { text };
  const set = Number(text !== undefined) + Number(raw !== undefined) + Number(url !== undefined);
  const hasData = data !== undefined;
  if (set + Number(hasData) !== 1) throw notAPart(content);
  if (set === 1 && typeof (text ?? raw ?? url) !== "string") throw notAPart(content);
  const copy = {
    ...content,
    ...(hasData && { data: copyJson(data) }),
    ...(metadata && { metadata: copyJson(metadata) }),
  } as Part;
  return checked(partTable, copy, "part");
}

/** True for what stands for itself as an artifact. */
export const isArtifact = (value: unknown): value is Artifact =>
  typeof value === "object" && value !== null && "artifactId" in value;

/** True for a message among what a handler may return. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "messageId" in value;

/** An artifact from content or from an artifact, with an id. */
export function toArtifact(content: Content | Artifact, options: ArtifactOptions = NONE): Artifact {
  if (typeof content === "string" && options === NONE) {
    return { artifactId: newId(), parts: [{ text: content }] };
  }
  const given = isArtifact(content) ? content : undefined;
  const parts = toParts(given === undefined ? (content as Content) : given.parts);
  if (parts.length === 0) throw new TypeError("An artifact needs at least one part");
  const { name, description, metadata, extensions } = { ...given, ...options };
  const artifact: Artifact = {
    artifactId: options.artifactId ?? given?.artifactId ?? newId(),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts,
    ...(metadata !== undefined && { metadata: copyJson(metadata) }),
    ...(extensions !== undefined && { extensions: [...extensions] }),
  };
  // Parts were checked; what else there is came from the agent.
  const own = given === undefined && Object.keys(options).length === 0;
  return own ? artifact : checked(artifactTable, artifact, "artifact");
}

const NONE: ArtifactOptions = {};

/** A message of the agent in its context, and of its task where there is one (A2A-4.1.4-c). */
export function toMessage(content: Content | Message, contextId: string, taskId?: string): Message {
  const given = isMessage(content) ? content : undefined;
  const parts = toParts(given === undefined ? (content as Content) : given.parts);
  if (parts.length === 0) throw new TypeError("A message needs at least one part");
  const place = { contextId, ...(taskId !== undefined && { taskId }), role: Role.AGENT, parts };
  if (given === undefined) return { messageId: newId(), ...place };
  const { taskId: _other, metadata, extensions, referenceTaskIds, ...rest } = given;
  const message: Message = {
    ...rest,
    ...place,
    ...(metadata && { metadata: copyJson(metadata) }),
    ...(extensions && { extensions: [...extensions] }),
    ...(referenceTaskIds && { referenceTaskIds: [...referenceTaskIds] }),
  };
  return checked(messageTable, message, "message");
}

/** A message of a caller, as the agent gets it: what it does with it changes no history. */
export function copyMessage(message: Message): Message {
  const { metadata, extensions, referenceTaskIds } = message;
  const copy: Message = { ...message, parts: message.parts.map(copyPart) };
  // Most messages have none of these.
  if (metadata) copy.metadata = copyJson(metadata);
  if (extensions) copy.extensions = [...extensions];
  if (referenceTaskIds) copy.referenceTaskIds = [...referenceTaskIds];
  return copy;
}

function copyPart(part: Part): Part {
  const copy: Part = { ...part };
  if (part.data !== undefined) copy.data = copyJson(part.data);
  if (part.metadata) copy.metadata = copyJson(part.metadata);
  return copy;
}

/** A copy through JSON text; throws where a value has none (cycles, bigint). */
export function copyJson<T extends Json | JsonObject | Task>(value: T): T {
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
