/** A process that opens a bus, closes it and has nothing else to do: `use <url>` or `lack <url> <package>`. */
import { register } from "node:module";
import { openBus } from "../../src/bus/open-bus.js";
import { isA2AError } from "../../src/errors.js";

const [mode, url = "", lacking = ""] = process.argv.slice(2);
if (mode === "lack") {
  const hook = `export const resolve = (name, context, next) => {
    if (name === ${JSON.stringify(lacking)}) throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  };`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
const bus = openBus(url);
bus.listen({ news: () => undefined, gap: () => undefined });
try {
  await bus.ready?.();
  bus.publish([{ taskId: "t" }]);
} catch (error) {
  console.log(isA2AError(error) ? `${error.reason} ${error.message}` : "no A2AError");
}
await bus.close();
console.log("closed");
