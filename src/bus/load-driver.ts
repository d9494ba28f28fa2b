import { A2AError } from "../errors.js";

/** Loads an optional package. `CONFIG` names it where it is not installed. */
export async function loadDriver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new A2AError(
      "CONFIG",
      `bus: the package "${name}" cannot be loaded; install it: npm install ${name}`,
      {
        cause,
      },
    );
  }
}
