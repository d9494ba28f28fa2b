/** The versions that have bindings, and the hops between neighbours: newest first, loaded when asked for. */
export { hops, lines } from "../../generated/lines.js";
