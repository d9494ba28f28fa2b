import type { A2ATools } from "../session.js";
import { CliFailure } from "./failure.js";

/** Answers a client of the Model Context Protocol over standard input and output, until it is gone or `signal` says stop. */
export async function serveMcp(tools: A2ATools, signal: AbortSignal): Promise<void> {
  const [{ McpServer }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] =
    await loadSdk();
  const { callMcpTool, mcpTools } = await import("../session.js");
  const mcp = new McpServer({ name: "a2a-typed", version: "1" }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: mcpTools(tools) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
    ...(await callMcpTool(tools, params)),
  }));
  const closed = new Promise<void>((resolve) => {
    mcp.server.onclose = resolve;
    // The transport does not notice that its client is gone.
    process.stdin.once("end", resolve).once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await mcp.connect(new StdioServerTransport());
  await closed;
  await mcp.close();
}

async function loadSdk() {
  try {
    return await Promise.all([
      import("@modelcontextprotocol/sdk/server/mcp.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
  } catch (error) {
    throw new CliFailure(
      `mcp needs the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk (${String(error)})`,
    );
  }
}
