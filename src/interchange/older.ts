import { planFor, type Plan } from "../convert/plan.js";
import { parseVersion } from "../convert/versions.js";
import { lines } from "../versions/conversions.js";
import { pivot } from "../versions/pivot.js";

/** The versions that are spoken, newest first. */
const versions: readonly string[] = Object.keys(lines);

/** The line of a version or release: `0.3.0` is `0.3`. Throws `CONFIG`, with those that there are, for any other. */
export const lineOf = (version: string): string => parseVersion(version, versions).line;

/** The newest line of 0.x. */
const legacyLine = versions.find((line) => lines[line]?.service.errorData === "any") ?? pivot.version;

/** How a type of the newest version is read where it is one of 0.x. */
export const planOfOlder = (type: string): Plan => planFor(type, legacyLine, pivot.version);
