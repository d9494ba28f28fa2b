import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { fileStore } from "../../src/files.js";
import { storeConformance } from "../../src/testing.js";

describe("the store contract", () => {
  storeConformance(
    "files",
    (options) => {
      const dir = mkdtempSync(join(tmpdir(), "a2a-files-"));
      const reopen = () => fileStore({ dir, ...options });
      return { store: reopen(), reopen };
    },
    { test },
  );
});
