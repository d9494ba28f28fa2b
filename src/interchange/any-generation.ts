import { isObject } from "../codec/json.js";
import type { Leniency } from "../codec/reader.js";
import { tolerant } from "../codec/tolerant.js";
import type { Loss } from "../convert/types.js";
import type { Rule } from "../descriptor.js";
import { partTable } from "../versions/pivot.js";
import type { Reshape } from "./reshape.js";
import { reshapePart } from "./reshape-part.js";
import { securityReshapes } from "./reshape-security.js";
import { taskReshapes } from "./reshape-task.js";

const reshapes: ReadonlyMap<Rule, Reshape> = new Map([
  [partTable, reshapePart],
  ...taskReshapes,
  ...securityReshapes,
]);

/**
 * The mode that reads either generation with the tables of the newest version, each object by itself: a server may put
 * parts of 0.x into a task of 1.0. Beyond what `tolerant` reads, objects of 0.x are converted: payloads without their
 * wrapper, files, nested push configurations, schemes with a type. Each is a problem; `losses` gets what was lost.
 */
export const anyGeneration =
  (losses?: Loss[]): Leniency =>
  (rule, value, reader) => {
    if (isObject(value)) {
      const reshape = reshapes.get(rule);
      if (reshape) return tolerant(rule, reshape(value, { reader, losses }), reader);
    }
    return tolerant(rule, value, reader);
  };
