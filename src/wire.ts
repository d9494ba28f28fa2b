/** What one protocol version looks like on the wire: methods, headers, parameters, endpoints. */
export type { ServiceDescriptor } from "./descriptor.js";
