import { Command, Option } from "commander";
import type { CardForm } from "../../card.js";
import type { Io } from "../io.js";
import { withCardSource, type CardSourceOptions } from "../options.js";
import { readCardDocument } from "../read-card-document.js";
import { readSigningKey } from "../signing-key.js";

interface SignOptions extends CardSourceOptions {
  readonly key: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly jku?: string;
  readonly form: CardForm;
}

/** `a2a-typed card sign <file|url|-> --key <file>`: prints the card with one more signature. */
export const cardSignCommand = (io: Io): Command =>
  withCardSource(new Command("sign").description("print a card with one more signature"))
    .requiredOption("--key <file>", "private key: a JWK, or PEM text")
    .option("--kid <id>", "id of the key; default: that of the JWK")
    .option("--alg <algorithm>", "ES256, EdDSA, RS256, …; default: what fits the key")
    .option("--jku <url>", "where the public key is published")
    .addOption(
      new Option("--form <form>", "sdk only for readers that know no other")
        .choices(["spec", "sdk"])
        .default("spec"),
    )
    .action(async (source: string, options: SignOptions) => {
      const key = await readSigningKey(options.key, options);
      const card = await readCardDocument(source, options, io);
      const { signCard } = await import("../../card.js");
      const { jku, form } = options;
      const signed = await signCard(card, key, { form, ...(jku !== undefined && { jku }) });
      io.out(JSON.stringify(signed, null, options.json ? undefined : 2) + "\n");
    });
