import { isObject } from "../codec/json.js";
import type { Transport, TransportRequest } from "./transport.js";

/**
 * For peers of 0.x whose minor version nobody knows: up to 0.2.5 a configuration must name the output modes, so an empty
 * list is sent where the caller named none; later ones take it for none (version mapping 2.10).
 */
export function withOutputModes(inner: Transport): Transport {
  const own = (request: TransportRequest): TransportRequest => {
    const { configuration } = request.input as { readonly configuration?: unknown };
    if (!isObject(configuration) || "acceptedOutputModes" in configuration) return request;
    const input = {
      ...(request.input as object),
      configuration: { acceptedOutputModes: [], ...configuration },
    };
    return { ...request, input };
  };
  return {
    ...inner,
    unary: (request) => inner.unary(own(request)),
    stream: (request) => inner.stream(own(request)),
  };
}
