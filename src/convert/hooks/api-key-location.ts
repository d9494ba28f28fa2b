import { quote } from "../../codec/reader.js";
import { refuse, report } from "../context.js";
import type { Hook } from "../hook.js";

const LOCATIONS = ["cookie", "header", "query"];

/** Where an API key stands: any text in 1.x, one of three names in 0.x. A guess would name a way in that does not work. */
export const apiKeyLocation: Hook = {
  down(value, _, ctx) {
    const location = String(value);
    if (LOCATIONS.includes(location)) return location;
    const known = LOCATIONS.find((name) => name === location.toLowerCase());
    if (known === undefined)
      refuse(ctx, `${quote(value)} is no place for a key that 0.x knows (${LOCATIONS.join(", ")})`);
    report(ctx, "normalized");
    return known;
  },
};
