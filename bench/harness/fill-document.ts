/** Puts texts between the markers `<!-- bench: NAME -->` and `<!-- end -->` of a document; each place must have its text. */
export const fillDocument = (document: string, texts: Readonly<Record<string, string>>): string =>
  document.replaceAll(
    /(<!-- bench: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const text = texts[name];
      if (text === undefined) throw new Error(`docs/performance.md: nothing is called ${name}`);
      return `${begin}\n${text}\n\n${end}`;
    },
  );
