import { test } from "vitest";
import { memoryStore } from "a2a-typed/server";
import { storeConformance } from "a2a-typed/testing";

storeConformance("memory", (options) => memoryStore(options), { test });
