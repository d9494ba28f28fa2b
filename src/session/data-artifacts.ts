import { minimizeData } from "./data-minimize.js";
import { summarizeTable, summarizeValues } from "./data-summary.js";
import { viewData } from "./data-view.js";

/** Data of artifacts: a part of it, or a summary. */
export const DataArtifacts = {
  view: viewData,
  minimize: minimizeData,
  summarizeTable,
  summarizeValues,
} as const;
