import type { ServerName } from "./server-process.js";

/** Servers that get one short slice in each of two rounds: they need several times as long, and have no targets here. */
export const scarceServers: readonly ServerName[] = ["sqlite", "official"];

/** Whether a server is one of them. */
export const isScarce = (name: ServerName): boolean => scarceServers.includes(name);
