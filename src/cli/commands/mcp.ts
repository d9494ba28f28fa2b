import { Command } from "commander";
import type { Io } from "../io.js";
import { timeoutOption } from "../options.js";

interface McpOptions {
  readonly agents: string;
  readonly storage?: string;
  readonly files?: readonly string[];
  readonly timeout?: number;
}

/** `a2a-typed mcp --agents agents.json`: the six tools of a session, for a client of the Model Context Protocol. */
export const mcpCommand = (io: Io): Command =>
  new Command("mcp")
    .description("let an MCP client talk to agents: serves six tools over standard input and output")
    .requiredOption(
      "--agents <file>",
      'agents by id: { "weather": { "url": "https://…", "custom_headers": {} } }',
    )
    .option(
      "--storage <dir>",
      "keep tasks and the files of artifacts in this folder; default: tasks in memory, no files",
    )
    .option("--files <dir...>", "local files may be sent from these folders; default: from none")
    .addOption(timeoutOption())
    .action(async ({ agents: file, storage, files = [], timeout }: McpOptions) => {
      const [session, { serveMcp }] = await Promise.all([
        import("../../session.js"),
        import("../mcp-server.js"),
      ]);
      const agents = new session.A2AAgents(file);
      const tools = new session.A2ATools(
        new session.A2ASession(agents, {
          ...(storage !== undefined && {
            taskStore: new session.JSONTaskStore(`${storage}/tasks`),
            fileStore: new session.LocalFileStore(`${storage}/files`, { onProblem: warn(io) }),
          }),
          fileRoots: files,
          sendMessageTimeout: timeout,
          getTaskTimeout: timeout,
          onProblem: warn(io),
        }),
      );
      try {
        await serveMcp(tools, io.signal);
      } finally {
        await agents.close();
      }
    });

// Standard output belongs to the protocol.
const warn =
  (io: Io) =>
  (problem: string): void =>
    io.err(`a2a-typed: ${problem}\n`);
