import { A2AError } from "../errors.js";

/**
 * The refusal of credentials that were shown and are wrong. It says what is wrong with them, never what they are;
 * `challenge` takes the place of the scheme's own.
 */
export const wrongCredentials = (problem: string, challenge?: string, cause?: unknown): A2AError =>
  new A2AError("UNAUTHENTICATED", problem, {
    ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }),
    cause,
  });
