/** Clients of each version behind one neutral interface: what they say is comparable, how they say it is their own. */
import * as v02 from "../../../generated/v0.2/index.js";
import * as v03 from "../../../generated/v0.3/index.js";
import * as v10 from "../../../generated/v1.0/index.js";
import { createClient, type Client, type Transport } from "../../../src/index.js";

export interface SaidTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  readonly status: string;
  readonly artifacts: readonly string[];
  readonly history: readonly string[];
}

export interface SaidEvent {
  readonly task?: SaidTask;
  readonly message?: string;
  readonly state?: string;
  readonly status?: string;
  readonly artifact?: string;
  readonly append?: boolean;
  readonly last?: boolean;
}

export interface Webhook {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly scheme?: string;
}

export interface SendOptions {
  readonly taskId?: string;
  readonly historyLength?: number;
  readonly immediately?: boolean;
  readonly webhook?: Webhook;
}

export interface Speaker extends AsyncDisposable {
  send(text: string, options?: SendOptions): Promise<SaidEvent>;
  stream(text: string, options?: SendOptions): AsyncIterable<SaidEvent>;
  /** A message without parts. */
  sendNothing(): Promise<unknown>;
  get(id: string, historyLength?: number): Promise<SaidTask>;
  cancel(id: string): Promise<SaidTask>;
  subscribe(id: string): AsyncIterable<SaidEvent> & AsyncDisposable;
  putWebhook(taskId: string, webhook: Webhook): Promise<Webhook>;
  /** Without id: any. */
  getWebhook(taskId: string, id?: string): Promise<Webhook>;
  listWebhooks(taskId: string): Promise<readonly Webhook[]>;
  deleteWebhook(taskId: string, id: string): Promise<unknown>;
}

const plain = (state: string): string => state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");

async function* mapped<A, B>(events: AsyncIterable<A>, map: (event: A) => B): AsyncGenerator<B, void> {
  for await (const event of events) yield map(event);
}

const disposable = <A, B>(
  stream: AsyncIterable<A> & AsyncDisposable,
  map: (event: A) => B,
): AsyncIterable<B> & AsyncDisposable =>
  Object.assign(mapped(stream, map), { [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose]() });

export function speaker10(transport: Transport): Speaker {
  const client: Client<typeof v10.A2A> = createClient(v10.A2A, transport);
  const task = (of: v10.Task): SaidTask => ({
    id: of.id,
    contextId: of.contextId ?? "",
    state: plain(of.status.state),
    status: v10.textOf(of.status.message),
    artifacts: (of.artifacts ?? []).map((artifact) => v10.textOf(artifact)),
    history: (of.history ?? []).map((message) => v10.textOf(message)),
  });
  const event = (of: v10.StreamResponse | v10.SendMessageResponse): SaidEvent => {
    if (of.task) return { task: task(of.task) };
    if (of.message) return { message: v10.textOf(of.message) };
    if ("statusUpdate" in of && of.statusUpdate) {
      const { state, message } = of.statusUpdate.status;
      return { state: plain(state), status: v10.textOf(message) };
    }
    const update = "artifactUpdate" in of ? of.artifactUpdate : undefined;
    return {
      artifact: v10.textOf(update?.artifact),
      append: update?.append ?? false,
      last: update?.lastChunk ?? false,
    };
  };
  const request = (text: string, { taskId, historyLength, immediately, webhook }: SendOptions = {}) => ({
    message: v10.userMessage(text, taskId === undefined ? {} : { taskId }),
    configuration: {
      ...(historyLength !== undefined && { historyLength }),
      ...(immediately !== undefined && { returnImmediately: immediately }),
      ...(webhook && { taskPushNotificationConfig: config(webhook) }),
    },
  });
  const config = ({ scheme, ...rest }: Webhook) => ({
    ...rest,
    ...(scheme !== undefined && { authentication: { scheme } }),
  });
  const webhook = ({ id, url, token, authentication }: v10.TaskPushNotificationConfig): Webhook => ({
    ...(id !== undefined && { id }),
    url,
    ...(token !== undefined && { token }),
    ...(authentication && { scheme: authentication.scheme }),
  });
  return {
    send: async (text, options) => event(await client.sendMessage(request(text, options))),
    stream: (text, options) => mapped(client.sendStreamingMessage(request(text, options)), event),
    sendNothing: () => client.sendMessage({ message: { ...v10.userMessage("x"), parts: [] } }),
    get: async (id, historyLength) =>
      task(await client.getTask({ id, ...(historyLength !== undefined && { historyLength }) })),
    cancel: async (id) => task(await client.cancelTask({ id })),
    subscribe: (id) => disposable(client.subscribeToTask({ id }), event),
    putWebhook: async (taskId, one) =>
      webhook(await client.createTaskPushNotificationConfig({ taskId, ...config(one) })),
    async getWebhook(taskId, id) {
      if (id !== undefined) return webhook(await client.getTaskPushNotificationConfig({ taskId, id }));
      const [first] = (await client.listTaskPushNotificationConfigs({ taskId })).configs ?? [];
      if (first === undefined) throw new Error("none");
      return webhook(first);
    },
    listWebhooks: async (taskId) =>
      ((await client.listTaskPushNotificationConfigs({ taskId })).configs ?? []).map(webhook),
    deleteWebhook: (taskId, id) => client.deleteTaskPushNotificationConfig({ taskId, id }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** 0.3 and 0.2 have the same methods; their types differ in what a 0.2 client may leave out. */
export function speaker0x(transport: Transport, version: "0.3" | "0.2"): Speaker {
  const client: Client<typeof v03.A2A> =
    version === "0.3" ? createClient(v03.A2A, transport) : (createClient(v02.A2A, transport) as never);
  const { userMessage, textOf } = version === "0.3" ? v03 : (v02 as unknown as typeof v03);
  const task = (of: v03.Task): SaidTask => ({
    id: of.id,
    contextId: of.contextId,
    state: plain(of.status.state),
    status: textOf(of.status.message),
    artifacts: (of.artifacts ?? []).map((artifact) => textOf(artifact)),
    history: (of.history ?? []).map((message) => textOf(message)),
  });
  const event = (of: v03.SendStreamingMessageResult): SaidEvent => {
    switch (of.kind) {
      case "task":
        return { task: task(of) };
      case "message":
        return { message: textOf(of) };
      case "status-update":
        return { state: plain(of.status.state), status: textOf(of.status.message) };
      default:
        return { artifact: textOf(of.artifact), append: of.append ?? false, last: of.lastChunk ?? false };
    }
  };
  const config = ({ scheme, ...rest }: Webhook) => ({
    ...rest,
    ...(scheme !== undefined && { authentication: { schemes: [scheme] } }),
  });
  const request = (text: string, { taskId, historyLength, immediately, webhook }: SendOptions = {}) => ({
    message: userMessage(text, taskId === undefined ? {} : { taskId }),
    configuration: {
      acceptedOutputModes: [],
      ...(historyLength !== undefined && { historyLength }),
      blocking: immediately !== true,
      ...(webhook && { pushNotificationConfig: config(webhook) }),
    },
  });
  const webhook = ({ pushNotificationConfig: of }: v03.TaskPushNotificationConfig): Webhook => {
    const scheme = of.authentication?.schemes[0];
    return {
      ...(of.id !== undefined && { id: of.id }),
      url: of.url,
      ...(of.token !== undefined && { token: of.token }),
      ...(scheme !== undefined && { scheme }),
    };
  };
  return {
    send: async (text, options) => event(await client.sendMessage(request(text, options))),
    stream: (text, options) => mapped(client.sendStreamingMessage(request(text, options)), event),
    sendNothing: () => client.sendMessage({ message: { ...userMessage("x"), parts: [] } }),
    get: async (id, historyLength) =>
      task(await client.getTask({ id, ...(historyLength !== undefined && { historyLength }) })),
    cancel: async (id) => task(await client.cancelTask({ id })),
    subscribe: (id) => disposable(client.resubscribeToTask({ id }), event),
    putWebhook: async (taskId, one) =>
      webhook(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config(one) })),
    async getWebhook(id, pushNotificationConfigId) {
      if (pushNotificationConfigId === undefined && transport.binding !== "JSONRPC") {
        // The route names one; only JSON-RPC can ask for any.
        const [first] = await client.listTaskPushNotificationConfig({ id });
        if (first === undefined) throw new Error("none");
        return webhook(first);
      }
      const named = pushNotificationConfigId === undefined ? {} : { pushNotificationConfigId };
      return webhook(await client.getTaskPushNotificationConfig({ id, ...named }));
    },
    listWebhooks: async (id) => (await client.listTaskPushNotificationConfig({ id })).map(webhook),
    deleteWebhook: (id, pushNotificationConfigId) =>
      client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
