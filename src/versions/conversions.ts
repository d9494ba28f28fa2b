/** All versions and hops at once, for conversions that must not wait. */
export { hops, lines } from "../../generated/conversions.js";
export type { ConvertedTypes } from "../../generated/converted-types.js";
