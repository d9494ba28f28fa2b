import { Command } from "commander";
import { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import { withCardSource, type CardSourceOptions } from "../options.js";
import { readCardDocument } from "../read-card-document.js";

/** `a2a-typed card lint <file|url|->`: what is wrong with a card of the newest version. */
export const cardLintCommand = (io: Io): Command =>
  withCardSource(new Command("lint").description("list what is wrong with a card")).action(
    async (source: string, options: CardSourceOptions) => {
      const card = await readCardDocument(source, options, io);
      const { lintCard } = await import("../../card.js");
      const problems = lintCard(card);
      const errors = problems.filter(({ level }) => level === "error").length;
      if (options.json) io.out(JSON.stringify({ valid: errors === 0, problems }) + "\n");
      else if (problems.length === 0) io.out("nothing is wrong with it\n");
      else
        for (const { level, pointer, message, rule } of problems)
          io.out(`${level}: ${pointer || "/"}: ${message} (${rule})\n`);
      if (errors > 0) throw new CliFailure(`the card has ${errors} ${errors === 1 ? "error" : "errors"}`);
    },
  );
