import { because, both, document, type Manifest } from "./coverage.js";

const server = "test/server/extensions.test.ts";
const telemetry = "test/telemetry/telemetry.test.ts";

/** Extensions, tenants, tracing. */
export const extensions: Manifest = {
  "A2A-4.6.1-a": both(server),
  "A2A-4.6.1-b": both("test/client/extensions.test.ts"),
  "A2A-4.6.2-a": both(server),
  "A2A-4.6.3-a": document,
  "A2A-4.6.3-b": document,
  "A2A-4.6.3-c": both(server),
  "A2A-4.6.3-d": both(server),
  "A2A-4.6.3-e": both(server),
  "A2A-EXT-a": both(server),
  "A2A-EXT-b": both(server),
  "A2A-EXT-c": both(server),
  "A2A-EXT-d": both("test/client/extensions.test.ts"),
  "A2A-EXT-e": both(server),
  "A2A-EXT-f": document,
  "A2A-EXT-g": both(server),
  "A2A-EXT-h": both(server),
  "A2A-EXT-i": both(server),
  "A2A-EXT-j": document,
  "A2A-EXT-k": both("test/client/extensions.test.ts"),
  "A2A-EXT-l": both(server),
  "A2A-GOV-a": because("No extension comes with the library; agents bring their own."),
  "A2A-GOV-b": both(server),
  "A2A-GOV-c": document,
  "A2A-GOV-d": because("There is no official custom binding yet."),
  "A2A-GOV-e": both(server),
  "A2A-GOV-f": both(server),
  "A2A-MT-a": both(server),
  "A2A-MT-b": both(server),
  "A2A-MT-c": both("test/client/connect/connect.test.ts", "test/client/http-json.test.ts"),
  "A2A-MT-d": both(server),
  "A2A-ER-g": both(telemetry),
  "A2A-ER-h": both(telemetry),
};
