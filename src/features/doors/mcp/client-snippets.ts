import type { Snippet } from "../program-tabs.tsx";

/** What MCP clients are told of a server. The key stands in for one that its owner makes. */
export function clientSnippets(slug: string, url: string): Snippet[] {
  const file = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    {
      value: "command",
      title: "Claude Code",
      text: `claude mcp add --transport http ${slug} ${url} \\
  --header "Authorization: Bearer $SWITCHYARD_API_KEY"
`,
    },
    {
      value: "desktop",
      title: "Claude Desktop",
      // It starts programs only; this one passes everything on to the address.
      text: file({
        mcpServers: {
          [slug]: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"],
            env: { AUTHORIZATION: "Bearer sy_…" },
          },
        },
      }),
    },
    {
      value: "vscode",
      title: "VS Code",
      text: file({
        servers: { [slug]: { type: "http", url, headers: { Authorization: "Bearer ${input:switchyard-key}" } } },
        inputs: [{ type: "promptString", id: "switchyard-key", description: "Switchyard API key", password: true }],
      }),
    },
    {
      value: "json",
      title: "Other clients",
      text: file({ mcpServers: { [slug]: { url, headers: { Authorization: "Bearer sy_…" } } } }),
    },
  ];
}
