export type {
  Transport,
  TransportEvent,
  TransportReply,
  TransportRequest,
  TransportStream,
  TransportWarning,
} from "../transport.js";
