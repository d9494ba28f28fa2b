import { basename } from "node:path";
import { readJunit } from "./junit.js";

/** Prints what passes in the first JUnit file and not in the second; fails where there is such a test. */
const [there, here] = process.argv.slice(2);
if (there === undefined || here === undefined) {
  console.error("node --import tsx test/interop/tck/compare.ts THERE.xml HERE.xml");
  process.exit(2);
}
const ours = new Map(readJunit(here).map((test) => [test.id, test]));
const theirs = readJunit(there).filter(({ outcome }) => outcome === "passed");
const missing = theirs.filter(({ id }) => ours.get(id)?.outcome !== "passed");
for (const { id } of missing) {
  const { outcome, why } = ours.get(id) ?? { outcome: "absent", why: "" };
  console.log(`${id}: ${outcome} here${why && `: ${why}`}`);
}
const passed = [...ours.values()].filter(({ outcome }) => outcome === "passed").length;
console.log(
  `${basename(there)}: ${theirs.length} pass there, ${passed} here; ${missing.length} pass there and not here`,
);
process.exitCode = missing.length > 0 ? 1 : 0;
