import type { CardRule, Report } from "./lint-types.js";

/** Names, texts and modes. */
export const lintTexts: CardRule = (card, _means, report) => {
  filled(card, ["name", "description", "version"], [], "A2A-4.4.1-a", report);
  if (card.provider) filled(card.provider, ["url", "organization"], ["provider"], "A2A-4.4.2-a", report);
  card.skills.forEach((skill, i) => {
    const at = ["skills", i] as const;
    filled(skill, ["id", "name", "description"], at, "A2A-4.4.5-a", report);
    if (skill.tags.length === 0) report("warning", [...at, "tags"], "is empty", "A2A-4.4.5-a");
    if (card.skills.findIndex(({ id }) => id === skill.id) !== i) {
      report("error", [...at, "id"], `${skill.id} is the id of another skill too`, "A2A-4.4.5-a");
    }
    modes(skill.inputModes, [...at, "inputModes"], report);
    modes(skill.outputModes, [...at, "outputModes"], report);
  });
  modes(card.defaultInputModes, ["defaultInputModes"], report);
  modes(card.defaultOutputModes, ["defaultOutputModes"], report);
};

type Pointer = readonly (string | number)[];

function filled<T extends object>(
  of: T,
  names: readonly (keyof T & string)[],
  at: Pointer,
  rule: string,
  report: Report,
): void {
  for (const name of names) {
    if (of[name] === "") report("warning", [...at, name], "is REQUIRED and empty", rule);
  }
}

function modes(list: readonly string[] | undefined, at: Pointer, report: Report): void {
  list?.forEach((mode, i) => {
    if (/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/.test(mode)) return;
    report("warning", [...at, i], `${mode} is no media type`, "A2A-4.4.1-d");
  });
}
