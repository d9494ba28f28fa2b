import type { Transport } from "../client/transport.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { RestBase } from "../rest-form.js";

/**
 * A transport for services whose gRPC speaks another form than their JSON (0.x): calls are converted to it and replies back, as
 * over HTTP+JSON. Calls of other services, and of the form itself, pass as they are.
 */
export function speakForms(wire: Transport, doubleBase64: boolean): Transport {
  const base: RestBase<{ readonly status: number }> = {
    // Errors come with their reasons; there are no routes to choose from.
    transport: () => wire,
    dialect: {
      errorOf: () => new A2AError("DECODE", "The agent answered what no reply of gRPC is"),
      isElsewhere: () => false,
    },
    doubleBase64,
  };
  let other: Promise<Transport> | undefined;
  const speaking = async ({ form }: ServiceDescriptor): Promise<Transport> => {
    if (form === undefined) return wire;
    other ??= form().then(({ rest }) => rest(base));
    return other;
  };
  return {
    ...wire,
    unary: async (request) => (await speaking(request.service)).unary(request),
    stream: async (request) => (await speaking(request.service)).stream(request),
  };
}
