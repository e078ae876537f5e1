// `npm run mcp-bridge`: makes an MCP server that speaks stdio reachable over Streamable HTTP on this machine.
import { splitCommand } from "./mcp-bridge/split-command.mjs";
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/mcp-bridge.mjs";

await startCommand("cli/mcp-bridge.ts", usage, splitCommand(process.argv.slice(2)).options);
