import type { Call, CallContext, Headers, Reply } from "../call.js";
import { decode } from "../codec/decode.js";
import { createTextChain, type TextChain } from "../convert/text-chain.js";
import type { Bridge, ConversionOptions, MethodBridge, TwoWay } from "../convert/types.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { JsonText } from "../json-text.js";
import { bridgeRules } from "./bridge-rules.js";
import { farError } from "./far-error.js";
import { BridgedReply } from "./bridged-reply.js";
import { BridgedStream } from "./bridged-stream.js";
import type { CallTarget } from "./router-types.js";

/** How a bridged target converts. */
export interface BridgeTargetOptions {
  readonly conversion?: ConversionOptions;
  /** The bridge by which inputs come, where callers write them in another form than they are answered in. */
  readonly inputs?: Bridge;
  /** True for an event of the near version that ends streams of the far one although its state alone would not. */
  readonly endsStream?: (event: unknown) => boolean;
}

/**
 * A version served by the router of another: input is converted up and checked there as if it had been sent in the near
 * version, output and errors are converted down. What is already text is converted once for all who listen.
 */
export function bridgeTarget(
  near: CallTarget,
  bridge: Bridge,
  options: BridgeTargetOptions = {},
): CallTarget {
  const { conversion, inputs = bridge } = options;
  const { far } = inputs;

  function run(call: Call, method: MethodBridge, raw: unknown): Promise<Reply> {
    call.context.callerVersion ??= far.version;
    call.context.asked ??= call;
    const rule = bridgeRules.get(method.nearName);
    const ruled = rule?.(near, raw, (name, input) => near.call(nearCall(near.service, name, input, call)));
    if (ruled !== undefined) return ruled;
    const input = decode<unknown>(method.near.input, raw, { direction: "request" });
    return near.call(new BridgedCall(near.service, method.nearName, method.near, input, call));
  }

  function answer({ output, far: descriptor }: MethodBridge, reply: Reply): Reply {
    if (reply.stream) {
      const stream = new BridgedStream(reply.output, {
        bridge,
        down: output.down,
        text: textOf(output),
        conversion,
        ends: options.endsStream,
      });
      return { stream: true, output: stream, headers: reply.headers };
    }
    const { output: given, headers } = reply;
    const value: unknown = given instanceof JsonText ? given.value() : given;
    if (descriptor.output.is === "null" || value === undefined)
      return { stream: false, output: undefined, headers };
    const down = (): unknown => output.down(value, conversion);
    // What was text is going to be text: it need not be a value in between.
    const text = given instanceof JsonText ? textOf(output)?.(value, conversion) : undefined;
    return { stream: false, output: text === undefined ? down() : new BridgedReply(text, down), headers };
  }

  const texts = new Map<TwoWay, TextChain>();
  function textOf(output: TwoWay): TextChain | undefined {
    const known = texts.get(output);
    if (known !== undefined || output.steps === undefined) return known;
    const made = createTextChain(output.steps);
    texts.set(output, made);
    return made;
  }

  return {
    service: far,
    ...(near.card !== undefined && { card: near.card }),
    async call(call) {
      const from = inputs.byFarName.get(call.methodName);
      // Both forms of a version have its operations under the same keys.
      const method = bridge.byFarName.get(call.methodName);
      if (from === undefined || method === undefined) {
        throw new A2AError("UNSUPPORTED_OPERATION", `This agent does not offer ${call.method.name}`);
      }
      // What it refuses, it names as the caller did.
      const input = from.input.up(call.input, conversion);
      let reply: Reply;
      try {
        reply = await run(call, method, input);
      } catch (error) {
        throw farError(error, bridge, from, call.input);
      }
      return answer(method, reply);
    },
  };
}

const nearCall = (service: ServiceDescriptor, name: string, input: unknown, outer: Call): Call => {
  const method = Object.hasOwn(service.methods, name) ? service.methods[name] : undefined;
  if (method === undefined) throw new A2AError("UNSUPPORTED_OPERATION", `This agent does not offer ${name}`);
  return new BridgedCall(service, name, method, input, outer);
};

/** A class, because an accessor of a prototype is free and most calls never need the signal, which is not. */
class BridgedCall implements Call {
  readonly service: ServiceDescriptor;
  readonly methodName: string;
  readonly method: MethodDescriptor;
  input: unknown;
  readonly headers: Headers;
  readonly context: CallContext;
  readonly #outer: Call;

  constructor(
    service: ServiceDescriptor,
    methodName: string,
    method: MethodDescriptor,
    input: unknown,
    outer: Call,
  ) {
    this.service = service;
    this.methodName = methodName;
    this.method = method;
    this.input = input;
    this.headers = outer.headers;
    this.context = outer.context;
    this.#outer = outer;
  }

  get signal(): AbortSignal {
    return this.#outer.signal;
  }
}
