/** Parts of tasks as they are written in files, and read back. */
import type {
  Lease,
  NewDelivery,
  StoredConfig,
  StoredEvent,
  StoredMessage,
  SnapshotLayout,
  TaskHead,
} from "../types.js";
import { members, number, text, type Members } from "./decode.js";

// Texts may be getters, which JSON would leave out.
export const plainEvent = ({ n, text }: StoredEvent): StoredEvent => ({ n, text });
export const plainMessage = ({ k, after, text }: StoredMessage): StoredMessage => ({ k, after, text });

export const readEvent = (item: Members): StoredEvent => ({ n: number(item["n"]), text: text(item["text"]) });

export const readMessage = (item: Members): StoredMessage => ({
  k: number(item["k"]),
  after: number(item["after"]),
  text: text(item["text"]),
});

export function readHead(value: unknown): TaskHead {
  const item = members(value);
  return {
    contextId: text(item["contextId"]),
    state: text(item["state"]),
    timestamp: text(item["timestamp"]),
    terminal: item["terminal"] === true,
  };
}

export function readLease(value: unknown): Lease {
  const item = members(value);
  return { holder: text(item["holder"]), expires: number(item["expires"]), fence: number(item["fence"]) };
}

export function readLayout(value: unknown): SnapshotLayout {
  const item = members(value);
  return {
    history: number(item["history"]),
    artifacts: number(item["artifacts"]),
    messages: number(item["messages"]),
  };
}

export const readConfig = (item: Members): StoredConfig => ({
  id: text(item["id"]),
  text: text(item["text"]),
  version: text(item["version"]),
  ...(item["disabled"] === true && { disabled: true }),
});

export const readDelivery = (item: Members): NewDelivery => ({
  configId: text(item["configId"]),
  n: number(item["n"]),
  text: text(item["text"]),
});
