import { A2AError } from "../errors.js";

/** What to do about an address that cannot be had, by the code of Node. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use: stop what listens there, or choose another port (0 takes any free one)",
  EACCES: "this process may not listen there: choose a port of 1024 or more",
  EADDRNOTAVAIL:
    "host is no address of this machine: 127.0.0.1 is for this machine alone, 0.0.0.0 for all networks",
  ENOTFOUND: "host is no known name: 127.0.0.1 is for this machine alone, 0.0.0.0 for all networks",
  ERR_SOCKET_BAD_PORT: "port must be a whole number from 0 to 65535",
};

/** The `CONFIG` error of a port that could not be taken, with what to do about it. */
export const notListening = (cause: unknown, host: string, port: number): A2AError => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const remedy = remedies[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new A2AError("CONFIG", `Cannot listen on ${host} port ${String(port)}: ${remedy}`, { cause });
};
