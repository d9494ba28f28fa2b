/** A series of points; the y of a bar chart belongs to the group of the same index. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** What both charts need to be told. */
export interface Chart {
  readonly title: string;
  /** What is on the y axis. */
  readonly unit: string;
  readonly series: readonly Series[];
}

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 70;
const RIGHT = 150;
const TOP = 40;
const BOTTOM = 50;
const plotWidth = WIDTH - LEFT - RIGHT;
const plotHeight = HEIGHT - TOP - BOTTOM;

const round = (n: number): string => String(Math.round(n * 10) / 10);
const label = (n: number): string => (n >= 1 ? n.toLocaleString("en") : String(Number(n.toPrecision(1))));
const text = (x: number, y: number, content: string, more = ""): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
const line = (y: number): string =>
  `<line x1="${String(LEFT)}" x2="${String(LEFT + plotWidth)}" y1="${round(y)}" y2="${round(y)}" stroke="#ddd"/>`;

/** Lines over logarithmic axes, for costs that may differ a thousandfold; `names` says what is on the x axis. */
export function lineChart({ title, unit, series }: Chart, xName: string): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(([x]) => x))].toSorted((a, b) => a - b);
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.floor(Math.log10(Math.min(...ys))), Math.ceil(Math.log10(Math.max(...ys)))];
  const [first, last] = [Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10)];
  const placeX = (x: number): number => LEFT + ((Math.log10(x) - first) / (last - first || 1)) * plotWidth;
  const placeY = (y: number): number =>
    TOP + plotHeight - ((Math.log10(y) - low) / (high - low || 1)) * plotHeight;
  const grid = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n)).map(
    (y) => line(placeY(y)) + text(LEFT - 8, placeY(y) + 4, label(y), 'text-anchor="end"'),
  );
  const ticks = xs.map((x) => text(placeX(x), TOP + plotHeight + 18, label(x), 'text-anchor="middle"'));
  const curves = series.map(({ color, points: own }) => {
    const path = own.map(([x, y]) => `${round(placeX(x))},${round(placeY(y))}`);
    const dots = own.map(
      ([x, y]) => `<circle cx="${round(placeX(x))}" cy="${round(placeY(y))}" r="3" fill="${color}"/>`,
    );
    return `<polyline points="${path.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}`;
  });
  const under = text(LEFT + plotWidth / 2, HEIGHT - 12, xName, 'text-anchor="middle"');
  return page({ title, unit, series }, [...grid, ...ticks, ...curves, under]);
}

/** Groups of bars, one bar of each series in a group. */
export function barChart({ title, unit, series }: Chart, groups: readonly string[]): string {
  const most = Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)));
  const step = 10 ** Math.floor(Math.log10(most)) / 2;
  const top = Math.ceil(most / step) * step;
  const placeY = (y: number): number => TOP + plotHeight - (y / top) * plotHeight;
  const grid = Array.from({ length: 5 }, (_, n) => (top * n) / 4).map(
    (y) => line(placeY(y)) + text(LEFT - 8, placeY(y) + 4, label(Math.round(y)), 'text-anchor="end"'),
  );
  const each = plotWidth / groups.length;
  const wide = (each * 0.8) / series.length;
  const bars = series.flatMap(({ color, points }, at) =>
    points.map(([group, y]) => {
      const x = LEFT + group * each + each * 0.1 + at * wide;
      return `<rect x="${round(x)}" y="${round(placeY(y))}" width="${round(wide - 2)}" height="${round(TOP + plotHeight - placeY(y))}" fill="${color}"/>`;
    }),
  );
  // One line for each part of a name, so that neighbours have room.
  const names = groups.flatMap((name, at) =>
    name
      .split(", ")
      .map((part, row) =>
        text(LEFT + (at + 0.5) * each, TOP + plotHeight + 18 + row * 15, part, 'text-anchor="middle"'),
      ),
  );
  return page({ title, unit, series }, [...grid, ...bars, ...names]);
}

function page({ title, unit, series }: Chart, parts: readonly string[]): string {
  const legend = series.map(({ name, color }, at) => {
    const y = TOP + 10 + at * 20;
    const x = LEFT + plotWidth + 14;
    return `<rect x="${String(x)}" y="${String(y - 9)}" width="12" height="12" fill="${color}"/>${text(x + 18, y + 1, name)}`;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" font-family="sans-serif" font-size="12" role="img">`;
  const back = `<title>${title}</title>\n<rect width="${String(WIDTH)}" height="${String(HEIGHT)}" fill="#fff"/>`;
  const titles = text(LEFT, 18, `${title} (${unit})`, 'font-size="14" font-weight="bold"');
  return `${[head, back, titles, ...parts, ...legend].join("\n")}\n</svg>\n`;
}
