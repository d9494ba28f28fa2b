import { unref } from "../unref.js";

/** Milliseconds since the epoch, as `Date.now`; tests hand in their own. */
export type Clock = () => number;

let lastMs = 0;
let lastText = "";

/** RFC 3339 UTC time with milliseconds. */
export function timestamp(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** Calls back once after `ms`, without keeping the process alive; returns what cancels it. */
export function later(ms: number, call: () => void): () => void {
  const timer: unknown = setTimeout(call, ms);
  unref(timer);
  return () => {
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  };
}

/** Calls back every `ms` until canceled, without keeping the process alive. */
export function every(ms: number, call: () => void): () => void {
  const timer: unknown = setInterval(call, ms);
  unref(timer);
  return () => {
    clearInterval(timer as ReturnType<typeof setInterval>);
  };
}
