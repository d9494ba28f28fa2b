/**
 * Runs a command beside PostgreSQL and Redis: `npm run test:services -- npx vitest run test/store`. Their URLs are in
 * `A2A_TEST_POSTGRES` and `A2A_TEST_REDIS`. The exit code is that of the command.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startPostgres } from "./postgres.js";
import { startRedis } from "./redis.js";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error("usage: npm run test:services -- <command…>");
  process.exit(2);
}

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, A2A_TEST_POSTGRES: postgres.url, A2A_TEST_REDIS: redis.url },
});
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
const ended: unknown[] = await Promise.race([
  once(child, "exit"),
  once(child, "error").then(([error]) => {
    console.error(String(error));
    return [127];
  }),
]);
await Promise.all([postgres.dispose(), redis.dispose()]);
process.exitCode = typeof ended[0] === "number" ? ended[0] : 1;
