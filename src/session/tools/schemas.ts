import { z } from "zod";

const agentId = z.string().describe("Id of the agent, from get_agents");
const taskId = z.string().describe("Id of the task, from send_message");
const seconds = z.number().positive();

/** What `get_agents` takes: nothing. */
export const getAgentsSchema = z.object({});

/** What `get_agent` takes. */
export const getAgentSchema = z.object({ agentId });

/** What `send_message` takes. */
export const sendMessageSchema = z.object({
  agentId,
  message: z.string().describe("What to say to the agent"),
  contextId: z
    .string()
    .optional()
    .describe("Goes on with a conversation: the contextId of an earlier answer"),
  taskId: z.string().optional().describe("Answers a task that is in state input-required: its id"),
  timeout: seconds.optional().describe("How long to wait for the answer, in seconds"),
  data: z.array(z.unknown()).optional().describe("JSON values to send along with the message"),
  files: z.array(z.string()).optional().describe("Files to send along: local paths or URLs"),
});

/** What `get_task` takes. */
export const getTaskSchema = z.object({
  agentId,
  taskId,
  timeout: seconds.optional().describe("How long to wait for the task to end, in seconds"),
  pollInterval: seconds.optional().describe("How long to wait between looks at the task, in seconds"),
});

const artifact = {
  agentId,
  taskId,
  artifactId: z.string().describe("Id of the artifact, from the artifacts of the task"),
};

/** What `view_text_artifact` takes. */
export const viewTextArtifactSchema = z.object({
  ...artifact,
  lineStart: z.int().optional().describe("First line, counted from 1"),
  lineEnd: z.int().optional().describe("Last line, counted from 1; it is included"),
  characterStart: z.int().optional().describe("First character, counted from 0; not together with lines"),
  characterEnd: z
    .int()
    .optional()
    .describe("Character to stop before, counted from 0; not together with lines"),
});

/** What `view_data_artifact` takes. */
export const viewDataArtifactSchema = z.object({
  ...artifact,
  jsonPath: z
    .string()
    .optional()
    .describe('Names with dots between that lead to what to view: "results.items"'),
  rows: z
    .string()
    .optional()
    .describe('Rows of a list, counted from 0: "0", "0-10" (10 is included), "0,2,5" or "all"'),
  columns: z.string().optional().describe('Columns of a list of objects: "name", "name,age" or "all"'),
});
