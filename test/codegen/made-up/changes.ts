import type { ReleaseTexts } from "./official-like.js";

/** What the made-up release says that the proto file does not: its error, and what its methods need. */
export const overlayChanges = {
  methods: {
    PauseTask: { idempotent: true, errors: ["TASK_NOT_FOUND", "TASK_NOT_PAUSABLE"], spec: "§3.1.12" },
    WatchTasks: { capability: "streaming", idempotent: true, errors: [], spec: "§3.1.13" },
  },
  errors: {
    TASK_NOT_PAUSABLE: {
      code: -32010,
      message: "Task cannot be paused",
      http: 409,
      status: "ABORTED",
      spec: "§5.4",
    },
  },
};

/** Turns the texts of 1.0.1 into those of a made-up 1.1.0: a field, an enum value, a method and a stream more. */
export function changed({ json, proto }: ReleaseTexts): ReleaseTexts {
  return { json: JSON.stringify(changedJson(JSON.parse(json))), proto: changedProto(proto) };
}

type Node = { [key: string]: Node | Node[] } & { properties?: Node; enum?: string[] };

function changedJson(bundle: { definitions: Node }): unknown {
  const { definitions } = bundle;
  const task = definitions["Task"] as Node | undefined;
  const properties = task?.properties;
  if (properties === undefined) throw new Error("The bundle has no Task");
  const text = { type: "string", default: "" };
  const generation = {
    anyOf: [
      { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 },
      { type: "string", pattern: "^-?[0-9]+$" },
    ],
  };
  const request = (members: object): object => ({
    type: "object",
    additionalProperties: false,
    properties: members,
  });
  Object.assign(properties, { generation });
  Object.assign(definitions, {
    "Pause Task Request": request({ tenant: text, id: text, reason: text }),
    "Watch Tasks Request": {
      ...request({ tenant: text, contextId: text }),
      patternProperties: { "^(context_id)$": text },
    },
  });
  addState(bundle);
  return bundle;
}

/** The enum stands inline at every use. */
function addState(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  for (const child of Object.values(node)) {
    if (Array.isArray(child) && child.includes("TASK_STATE_WORKING")) child.push("TASK_STATE_PAUSED");
    else addState(child);
  }
}

function changedProto(proto: string): string {
  let text = after(proto, /^message Task \{/m, "  optional int64 generation = 7;");
  text = after(text, /TASK_STATE_AUTH_REQUIRED = 8;/, "  TASK_STATE_PAUSED = 9;");
  text = after(text, /^service A2AService \{/m, METHODS);
  return `${text}\n${MESSAGES}`;
}

const METHODS = `
  rpc PauseTask(PauseTaskRequest) returns (Task) {
    option (google.api.http) = {
      post: "/tasks/{id=*}:pause"
      body: "*"
      additional_bindings: { post: "/{tenant}/tasks/{id=*}:pause" body: "*" }
    };
  }
  rpc WatchTasks(WatchTasksRequest) returns (stream StreamResponse) {
    option (google.api.http) = {
      get: "/tasks:watch"
      additional_bindings: { get: "/{tenant}/tasks:watch" }
    };
  }`;

const MESSAGES = `
message PauseTaskRequest {
  string tenant = 1;
  string id = 2 [(google.api.field_behavior) = REQUIRED];
  string reason = 3;
}
message WatchTasksRequest {
  string tenant = 1;
  string context_id = 2;
}
`;

function after(text: string, place: RegExp, addition: string): string {
  if (!place.test(text)) throw new Error(`The proto file has nothing like ${String(place)}`);
  return text.replace(place, (found) => `${found}\n${addition}`);
}

/** What someone writes into `schemas/convert/1.0-1.1.json`. */
export const conversion = {
  older: "1.0",
  newer: "1.1",
  methods: { PauseTask: null, WatchTasks: null },
  types: {
    Task: { drop: { newer: ["generation"] } },
    TaskState: { nearest: { newer: { TASK_STATE_PAUSED: "TASK_STATE_WORKING" } } },
  },
};
