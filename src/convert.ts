/** Converts values of one protocol version to another and reports what could not be carried over. */
export { convert, type Converted, type ConvertOptions } from "./convert/convert.js";
export type { ConvertedAs, TypeName, VersionName } from "./convert/converted-as.js";
export type { ConversionOptions, Loss, LossCode } from "./convert/types.js";
