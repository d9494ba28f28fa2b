/** A process that opens a store and lacks some packages: `<url> <package>…`. */
import { register } from "node:module";
import { isA2AError } from "../../src/errors.js";
import { postgresStore } from "../../src/postgres.js";
import { sqliteStore } from "../../src/sqlite.js";

const [url = "", ...lacking] = process.argv.slice(2);
const hook = `export const resolve = (name, context, next) => {
  if (${JSON.stringify(lacking)}.includes(name)) throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
  return next(name, context);
};`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
// As Node.js was before it had `node:sqlite` without a flag.
Object.defineProperty(process.versions, "node", { value: "22.12.0" });
try {
  await (url.startsWith("postgres:") ? postgresStore({ url }) : sqliteStore({ path: url }));
  console.log("opened");
} catch (error) {
  console.log(isA2AError(error) ? `${error.reason} ${error.message}` : String(error));
}
