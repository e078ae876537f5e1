/** What a run needs to use a server's tools. */
export { openMcpSession } from "./mcp-session.ts";
export { reviewTools } from "./review-tools.ts";
