import { createInterface } from "node:readline";
import { startChild, stopChild } from "../matrix/children.js";

/** An agent that listens. */
export interface StartedAgent {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program that prints its URL when it listens. */
export async function startAgent(program: string, args: readonly string[]): Promise<StartedAgent> {
  const child = startChild([process.execPath, "--import", "tsx", program, "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!child.stdout) throw new Error("the agent has no output");
  for await (const url of createInterface(child.stdout)) {
    child.stdout.resume();
    return { url, stop: () => stopChild(child) };
  }
  throw new Error("the agent ended without a word");
}
