import { Command, Option } from "commander";
import type { CardForm, KeySet, SignatureCheck } from "../../card.js";
import { isObject } from "../../codec/json.js";
import { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import { repeated, wholeNumber, withCardSource, type CardSourceOptions } from "../options.js";
import { readCardDocument } from "../read-card-document.js";
import { readLocal } from "../read-local.js";

interface VerifyOptions extends CardSourceOptions {
  readonly keys?: string;
  readonly jku?: readonly string[];
  readonly atLeast: number;
  readonly form: CardForm;
}

/** `a2a-typed card verify <file|url|-> --keys <file>`: whether keys that are trusted have signed a card. */
export const cardVerifyCommand = (io: Io): Command =>
  withCardSource(new Command("verify").description("verify the signatures of a card"))
    .option("--keys <file>", "trusted public keys: a JWKS, a list of JWKs or one JWK")
    .option(
      "--jku <origin>",
      "fetch keys that a signature points to from this origin; may be repeated",
      repeated,
    )
    .option("--at-least <n>", "this many keys must have signed", wholeNumber(1), 1)
    .addOption(
      new Option("--form <form>", "sdk also takes what the JavaScript and Python SDKs sign")
        .choices(["spec", "sdk"])
        .default("spec"),
    )
    .action(async (source: string, options: VerifyOptions) => {
      const { keys: file, jku, atLeast, form } = options;
      if (file === undefined && jku === undefined)
        throw new CliFailure("say whose keys are trusted: --keys <file>, or --jku <origin>", 2);
      const keys = file === undefined ? [] : keysOf(await readLocal(file), file);
      const card = await readCardDocument(source, options, io);
      const { keyResolver, verifyCard } = await import("../../card.js");
      const resolver = keyResolver({ keys, ...(jku && { jku: { allow: jku } }) });
      const { verified, signatures } = await verifyCard(card, {
        resolver,
        atLeast,
        form: form === "sdk" ? ["spec", "sdk"] : form,
      });
      if (options.json) {
        io.out(JSON.stringify({ verified, signatures }) + "\n");
      } else io.out(signatures.map(checkLine).join(""));
      if (!verified) throw new CliFailure(reasonOf(signatures, atLeast));
      if (!options.json) io.out("verified\n");
    });

const checkLine = (check: SignatureCheck): string =>
  check.verified
    ? `signature ${check.index}: ${check.alg} by ${check.kid}${check.form === "sdk" ? ", in the form of the SDKs" : ""}\n`
    : `signature ${check.index}: ${check.reason}: ${check.message}\n`;

function reasonOf(signatures: readonly SignatureCheck[], atLeast: number): string {
  if (signatures.length === 0) return "the card has no signature";
  return signatures.some(({ verified }) => verified)
    ? `fewer than ${atLeast} trusted keys signed the card`
    : "no trusted key signed the card as it is";
}

function keysOf(text: string, file: string): KeySet {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const list: unknown = isObject(json) && "keys" in json ? json["keys"] : Array.isArray(json) ? json : [json];
  if (Array.isArray(list) && list.every(isKey)) {
    if (list.some((key) => "d" in key || "k" in key))
      throw new CliFailure(`${file} holds a private key; only its public half belongs there`);
    return list;
  }
  throw new CliFailure(`${file} holds no keys: neither a JWKS, nor a list of JWKs, nor a JWK`);
}

const isKey = (value: unknown): value is Extract<KeySet, readonly unknown[]>[number] =>
  isObject(value) && typeof value["kty"] === "string";
