/** `a2a-typed/testing`: run agents without sockets, prove stores, record and play streams. */
export { runAgent, type AgentRun, type RunAgentOptions } from "./testing/run-agent.js";
export {
  storeConformance,
  type ConformanceHost,
  type ConformanceStoreOptions,
  type MakeStore,
  type ReopenableStore,
} from "./testing/store-conformance.js";
export { recordTransport } from "./testing/record-transport.js";
export { recordSse, recordStream } from "./testing/record-stream.js";
export { playTransport, type PlayOptions } from "./testing/play-transport.js";
export type { RecordedError, RecordedLine, RecordingSink } from "./testing/recording.js";
