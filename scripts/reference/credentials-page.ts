import { credentialTypes } from "../../src/engine/credentials/credential-types.ts";
import { compatibleServers } from "../../src/engine/vendors/compatible-servers.ts";
import { fieldTable } from "./field-table.ts";
import { code, plain, table } from "./markdown.ts";

const uses = {
  model: "signs calls of a model vendor",
  http: "signs HTTP requests to the hosts that it lists",
  redis: "opens a Redis server",
  postgres: "opens a Postgres database",
  mcp: "opens an MCP server",
} as const;

/** Every type of credential with its settings. */
export function credentialsPage(): string {
  return [
    "# Credentials",
    "Every type of credential. Nodes name a credential by its id; its secrets are encrypted and are used only inside edge functions: see [the way of a secret](../architecture.md#the-way-of-a-secret).",
    ...Object.entries(credentialTypes).flatMap(([type, { title, use, secrets, fields }]) => [
      `## ${plain(title)}: ${code(type)}`,
      `A credential of this type ${uses[use]}. Secret, and never shown again: ${secrets.map(code).join(", ")}.`,
      fieldTable(fields),
    ]),
    "## OpenAI-compatible servers",
    "Addresses that the form suggests. Any other server with the same API works too.",
    table(
      ["Server", "Base URL"],
      Object.values(compatibleServers).map(({ title, baseUrl }) => [
        plain(title),
        baseUrl === null ? "your own" : code(baseUrl),
      ]),
    ),
  ].join("\n\n");
}
