import type { TaskPushNotificationConfig } from "../versions/pivot.js";
import type { ConfigProblem } from "./types.js";

/** Why the URL of a registration is none that could be called; where it leads is not looked at. */
export const urlProblem = ({ url }: TaskPushNotificationConfig): ConfigProblem | undefined =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? undefined
    : { field: "url", description: "must be an absolute http or https URL" };

/** What a registration has that could not be sent as a header, or would be more than one. */
export function headerProblem({
  token,
  authentication,
}: TaskPushNotificationConfig): ConfigProblem | undefined {
  if (token !== undefined && !isHeaderText(token)) return problem("token");
  const { scheme, credentials } = authentication ?? {};
  // 0.x may give credentials without a scheme.
  if (scheme !== undefined && !/^[\w!#$%&'*+.^`|~-]*$/.test(scheme)) return problem("authentication.scheme");
  if (credentials !== undefined && !isHeaderText(credentials)) return problem("authentication.credentials");
  return undefined;
}

const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const problem = (field: string): ConfigProblem => ({
  field,
  description:
    "must fit into one HTTP header: no line breaks, control characters or characters beyond Latin-1",
});
