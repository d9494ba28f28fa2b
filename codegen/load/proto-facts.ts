/** What the generator takes from a `.proto` file; `schemas/<line>/proto.json` is its text. Comments are not kept. */
export interface ProtoFacts {
  readonly package: string;
  /** In order of declaration; nested messages as `Outer.Inner`. */
  readonly messages: readonly ProtoMessage[];
  readonly enums: readonly ProtoEnum[];
  readonly services: readonly ProtoService[];
}

/** A message of the file. */
export interface ProtoMessage {
  readonly name: string;
  readonly deprecated?: true;
  readonly fields: readonly ProtoField[];
}

/** A field of a message. */
export interface ProtoField {
  /** Name in the file: `context_id`. */
  readonly name: string;
  /** JSON name: `contextId`, or the `json_name` option. */
  readonly json: string;
  readonly number: number;
  /** Scalar keyword, name within the package (`Task`), or full name of another package (`google.protobuf.Struct`). */
  readonly type: string;
  readonly label?: "optional" | "repeated" | "map";
  /** Key type of a map. */
  readonly key?: string;
  readonly oneof?: string;
  /** `(google.api.field_behavior) = REQUIRED`. */
  readonly required?: true;
  readonly deprecated?: true;
}

/** An enum, its values in order of declaration. */
export interface ProtoEnum {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly number: number }[];
}

/** A service of the file. */
export interface ProtoService {
  readonly name: string;
  readonly rpcs: readonly ProtoRpc[];
}

/** A method of a service. */
export interface ProtoRpc {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly clientStreaming?: true;
  readonly serverStreaming?: true;
  /** `google.api.http` with its additional bindings, in order. */
  readonly routes: readonly ProtoRoute[];
  readonly deprecated?: true;
}

/** An HTTP rule of a method. */
export interface ProtoRoute {
  readonly verb: string;
  readonly path: string;
  readonly body?: string;
}
