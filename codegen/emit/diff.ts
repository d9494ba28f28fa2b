const CONTEXT = 2;
const MOST = 24;

/** The differing stretch of two texts, with a little context, as `-` and `+` lines; long ones are cut. */
export function diffText(name: string, before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const lines = [
    ...old.slice(Math.max(0, head - CONTEXT), head).map((line) => `  ${line}`),
    ...cut(old.slice(head, old.length - tail).map((line) => `- ${line}`)),
    ...cut(now.slice(head, now.length - tail).map((line) => `+ ${line}`)),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => `  ${line}`),
  ];
  return [`--- ${name}`, `@@ line ${String(head + 1)} @@`, ...lines].join("\n");
}

const cut = (lines: readonly string[]): string[] =>
  lines.length <= MOST
    ? [...lines]
    : [
        ...lines.slice(0, MOST),
        `${lines[0]?.slice(0, 1) ?? " "} … ${String(lines.length - MOST)} more lines`,
      ];
