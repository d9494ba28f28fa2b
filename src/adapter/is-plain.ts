import { ServerResponse } from "node:http";
import type { ResponseSink } from "./node-write.js";

const { prototype } = ServerResponse;

/**
 * Whether a response is one of HTTP/1.1 that Node alone writes: nobody stands in between, a middleware that compresses or
 * adds headers late.
 */
export const isPlain = (sink: ResponseSink): sink is ServerResponse & ResponseSink =>
  sink instanceof ServerResponse &&
  sink.writeHead === prototype.writeHead &&
  sink.write === prototype.write &&
  sink.end === prototype.end;
