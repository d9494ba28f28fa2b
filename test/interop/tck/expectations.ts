import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A piece of the kit that expects what only release 1.0.0 said. */
interface Expectation {
  readonly file: string;
  readonly shipped: string;
  readonly now: string;
}

const eitherType = (shipped: string, now: string, ...files: readonly string[]): Expectation[] =>
  files.map((file) => ({ file: `tests/compatibility/${file}`, shipped, now }));

/** What the kit for 1.0 expects otherwise than release 1.0.1: HTTP and gRPC statuses, and the media type of HTTP+JSON. */
const changes: readonly Expectation[] = [
  { file: "tck/requirements/base.py", shipped: "http_status=409", now: "http_status=400" },
  { file: "tck/requirements/base.py", shipped: "http_status=415", now: "http_status=400" },
  { file: "tck/requirements/base.py", shipped: "http_status=502", now: "http_status=500" },
  {
    file: "tck/requirements/base.py",
    shipped: 'grpc_status="UNIMPLEMENTED"',
    now: 'grpc_status="FAILED_PRECONDITION"',
  },
  ...eitherType(
    '"application/json" not in ct',
    '"application/json" not in ct and "application/a2a+json" not in ct',
    "core_operations/test_error_handling.py",
    "core_operations/test_transport_behavior.py",
  ),
  ...eitherType(
    '"application/json" in ct.lower()',
    '("application/json" in ct.lower() or "application/a2a+json" in ct.lower())',
    "http_json/test_problem_details.py",
  ),
];

/** Changes a copy of the kit so that it expects what release 1.0.1 says; throws where the kit is another one. */
export function expectRelease101(kit: string): void {
  for (const { file, shipped, now } of changes) {
    const path = join(kit, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(shipped)) throw new Error(`${file} of the kit does not have ${shipped} any more`);
    writeFileSync(path, text.replaceAll(shipped, now));
  }
}
