import { pivot } from "../versions/pivot.js";

/** The body of a delivery in the version that registered it: the event as it is, or converted. */
export async function webhookBody(text: string, version: string): Promise<string> {
  await Promise.resolve();
  if (version === pivot.version) return text;
  throw new Error(`There is no conversion to A2A ${version} yet`);
}
