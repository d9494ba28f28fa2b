import Handlebars from "handlebars";
import { readFileSync } from "node:fs";

const compiled = new Map<string, Handlebars.TemplateDelegate>();

/** Fills a whole-file skeleton of `codegen/templates`. Values are printed as they are; a missing one is an error. */
export function fill(template: string, values: Readonly<Record<string, unknown>>): string {
  let render = compiled.get(template);
  if (render === undefined) {
    const source = readFileSync(new URL(`../templates/${template}.hbs`, import.meta.url), "utf8");
    render = Handlebars.compile(source, { noEscape: true, strict: true, knownHelpersOnly: true });
    compiled.set(template, render);
  }
  return render(values);
}
