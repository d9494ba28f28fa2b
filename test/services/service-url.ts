/** The servers that some tests need, and where their URLs are. */
const variables = { postgres: "A2A_TEST_POSTGRES", redis: "A2A_TEST_REDIS" } as const;

/**
 * URL of a running server; undefined without one, with a line that says how to run what is skipped then:
 * `describe.skipIf(url === undefined)`.
 */
export function serviceUrl(name: keyof typeof variables, skipped: string): string | undefined {
  const url = process.env[variables[name]];
  if (url !== undefined && url !== "") return url;
  console.log(`skipped: ${skipped} needs ${name}; run: npm run test:services -- npx vitest run`);
  return undefined;
}
