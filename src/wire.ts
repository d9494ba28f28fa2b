/** What one protocol version looks like on the wire: methods, headers, parameters, endpoints. */
export type { ServiceDescriptor } from "./descriptor.js";
export { A2AError, isA2AError } from "./errors.js";
export type { ConversionOptions, Loss, LossCode } from "./convert/types.js";
export type { VersionName } from "./interchange/codec-types.js";
export { wireFor, type EncodeParamsOptions, type Operation, type Wire } from "./interchange/wire-for.js";
