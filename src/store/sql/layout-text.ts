import type { SnapshotLayout } from "../types.js";

/** A layout as a column keeps it. */
export const encodeLayout = (layout: SnapshotLayout | undefined): string | null =>
  layout === undefined
    ? null
    : `${String(layout.history)},${String(layout.artifacts)},${String(layout.messages)}`;

/** A layout from its column. */
export function decodeLayout(text: string | null): SnapshotLayout | undefined {
  if (text === null) return undefined;
  const [history = 0, artifacts = 0, messages = 0] = text.split(",").map(Number);
  return { history, artifacts, messages };
}
