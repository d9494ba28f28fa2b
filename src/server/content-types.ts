import { A2AError } from "../errors.js";
import type { AgentCard, Message } from "../versions/pivot.js";

/** Refuses a message by its media types; with the id of a skill, by the modes of that skill. */
export type ContentTypeCheck = (message: Message, skillId?: string) => void;

/**
 * Refuses a message with a part of an explicit media type that no input mode of the card takes, the modes of its
 * skills included (A2A-3.1.1-f). A skill that is named takes its own modes, else those of the card (A2A-4.4.5-b).
 * Wildcards and parameters are understood; a mode without slash (`text`) takes all of its kind.
 */
export function createContentTypeCheck(card: AgentCard): ContentTypeCheck {
  const all = [...card.defaultInputModes, ...card.skills.flatMap(({ inputModes }) => inputModes ?? [])];
  const any = modesCheck("this agent", all);
  const bySkill = new Map(
    card.skills.map(({ id, inputModes = [] }) => [
      id,
      modesCheck(`the skill ${id}`, inputModes.length > 0 ? inputModes : card.defaultInputModes),
    ]),
  );
  return (message, skillId) => {
    const check = skillId === undefined ? any : bySkill.get(skillId);
    check?.(message);
  };
}

function modesCheck(who: string, modes: readonly string[]): (message: Message) => void {
  const patterns = modes.map(normal);
  const takesAll = patterns.some((pattern) => pattern === "*/*");
  return ({ parts }) => {
    if (takesAll) return;
    for (const [i, { mediaType }] of parts.entries()) {
      if (mediaType === undefined || mediaType === "") continue;
      const type = normal(mediaType);
      if (!patterns.some((pattern) => matches(pattern, type))) throw refused(i, who, mediaType, modes);
    }
  };
}

const normal = (type: string): string => {
  const bare = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (bare === "*") return "*/*";
  return bare.includes("/") ? bare : `${bare}/*`;
};

function matches(pattern: string, type: string): boolean {
  if (pattern === type || type === "*/*") return true;
  const [kind] = type.split("/", 1);
  return pattern === `${String(kind)}/*` || (type.endsWith("/*") && pattern.startsWith(`${String(kind)}/`));
}

const refused = (index: number, who: string, mediaType: string, modes: readonly string[]): A2AError =>
  new A2AError(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `message.parts[${String(index)}]: ${who} does not take ${mediaType}; it takes ${modes.join(", ")}`,
    { metadata: { contentType: mediaType, supported: modes.join(",") } },
  );
