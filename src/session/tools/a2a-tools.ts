import type { z } from "zod";
import { A2AError } from "../../errors.js";
import type { A2ASession } from "../a2a-session.js";
import type { AgentSummary } from "../agent-summary.js";
import { ArtifactSettings } from "../artifact-settings.js";
import type { ArtifactForLLM, MessageForLLM, TaskForLLM } from "../llm-types.js";
import { messageForLLM, taskForLLM } from "./for-llm.js";
import * as schemas from "./schemas.js";
import { defineTool, type A2ATool } from "./tool.js";
import { viewData, viewText } from "./view-artifact.js";

/** Options of `A2ATools`. */
export interface A2AToolsOptions {
  /** Default: `new ArtifactSettings()`. */
  readonly artifactSettings?: ArtifactSettings | null | undefined;
}

type Input<Name extends keyof typeof schemas> = z.input<(typeof schemas)[Name]>;

/** Six tools with which a language model finds agents, talks to them and reads what they made. */
export class A2ATools {
  readonly getAgents: A2ATool<Input<"getAgentsSchema">, Readonly<Record<string, AgentSummary>>>;
  readonly getAgent: A2ATool<Input<"getAgentSchema">, AgentSummary>;
  readonly sendMessage: A2ATool<Input<"sendMessageSchema">, TaskForLLM | MessageForLLM>;
  readonly getTask: A2ATool<Input<"getTaskSchema">, TaskForLLM>;
  readonly viewTextArtifact: A2ATool<Input<"viewTextArtifactSchema">, ArtifactForLLM>;
  readonly viewDataArtifact: A2ATool<Input<"viewDataArtifactSchema">, ArtifactForLLM>;
  /** All of them. */
  readonly tools: readonly A2ATool[];

  constructor(session: A2ASession, options: A2AToolsOptions = {}) {
    const settings = options.artifactSettings ?? new ArtifactSettings();
    const { agents } = session;

    const getAgents = defineTool({
      name: "get_agents",
      description:
        "Lists the agents that can be talked to: their ids, names and descriptions. Call it first: the other tools take " +
        "these ids.",
      schema: schemas.getAgentsSchema,
      run: async () => {
        const found = await agents.getAgentsForLlm("basic");
        if (Object.keys(found).length > 0 || agents.ids.length === 0) return found;
        throw new A2AError("INVALID_REQUEST", `None of the agents can be reached: ${agents.ids.join(", ")}`);
      },
    });
    const getAgent = defineTool({
      name: "get_agent",
      description: "Tells what one agent can do: its name, its description, and its skills with theirs.",
      schema: schemas.getAgentSchema,
      run: async ({ agentId }) => {
        const found = await agents.getAgentForLlm(agentId, "full");
        if (found) return found;
        await agents.open(agentId);
        throw new A2AError("INVALID_PARAMS", `There is no agent ${agentId}`);
      },
    });
    const sendMessage = defineTool({
      name: "send_message",
      description:
        "Sends a message to an agent and waits for its answer: a message, or a task with a state, what the agent says, " +
        "and artifacts (its results). Large artifacts are minimized: members whose names begin with _ say what was left " +
        "out, and view_text_artifact and view_data_artifact show it. Where the state is working, the task goes on: call " +
        "get_task. Where it is input-required, answer with the same taskId. To go on with a conversation, give its " +
        "contextId.",
      schema: schemas.sendMessageSchema,
      run: async ({ agentId, message, ...rest }) => {
        const answer = await session.sendMessage(agentId, message, rest);
        return answer.kind === "task"
          ? taskForLLM(answer, session, settings)
          : messageForLLM(answer, session);
      },
    });
    const getTask = defineTool({
      name: "get_task",
      description:
        "Waits for a task that send_message left in state working or submitted, and tells how it stands. If it is still " +
        "not done when the time is up, call it again.",
      schema: schemas.getTaskSchema,
      run: async ({ agentId, taskId, ...rest }) =>
        taskForLLM(await session.getTask(agentId, taskId, rest), session, settings),
    });
    const viewTextArtifact = defineTool({
      name: "view_text_artifact",
      description:
        "Shows the text of an artifact, all of it or some lines or characters: documents, logs, code. Lines or " +
        "characters can be given, not both.",
      schema: schemas.viewTextArtifactSchema,
      run: (input) => viewText(session, input, settings.viewArtifactCharacterLimit),
    });
    const viewDataArtifact = defineTool({
      name: "view_data_artifact",
      description:
        "Shows the data of an artifact (objects, lists, tables), all of it or a part: jsonPath leads to a member, rows " +
        "and columns choose from a list.",
      schema: schemas.viewDataArtifactSchema,
      run: (input) => viewData(session, input, settings.viewArtifactCharacterLimit),
    });

    this.getAgents = getAgents;
    this.getAgent = getAgent;
    this.sendMessage = sendMessage;
    this.getTask = getTask;
    this.viewTextArtifact = viewTextArtifact;
    this.viewDataArtifact = viewDataArtifact;
    this.tools = [getAgents, getAgent, sendMessage, getTask, viewTextArtifact, viewDataArtifact];
  }
}
