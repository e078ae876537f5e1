/** What `npm run mcp-bridge -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Makes an MCP server that speaks stdio reachable on this machine over Streamable HTTP.

  npm run mcp-bridge -- [--port <number>] <command> [arguments of the command]

  npm run mcp-bridge -- npx -y @modelcontextprotocol/server-filesystem ~/notes

  --port <number>     the port on 127.0.0.1 (default: a free one)
  --help              show this text

Prints the address and a random token, which go into a credential of type MCP server. Both are good until the bridge
ends (Ctrl+C). Options stand before the command; everything after it is the command's. The command runs in the folder that
you are in, with your environment, once for each session; what it writes to standard error is shown here. Exit code 0; 1 when
the command or the bridge cannot start; 2 when the command line was not understood.
`;
