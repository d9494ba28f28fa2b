import { describe, test } from "vitest";
import { memoryStore } from "../../src/server.js";
import { storeConformance } from "../../src/testing.js";

describe("the store contract", () => {
  storeConformance("memory", (options) => memoryStore(options), { test });
});
