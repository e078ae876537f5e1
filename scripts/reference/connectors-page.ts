import { connectors } from "../../src/nodes/connectors/index.ts";
import { credentialTypes } from "../../src/engine/credentials/credential-types.ts";
import { plain, table } from "./markdown.ts";

/** Every service that has a connector, with its operations. */
export function connectorsPage(): string {
  return [
    "# Connectors",
    "Services whose operations can be added as a tool of an agent or as a step of the flow. Each becomes an HTTP request node that is filled in. To add a service, see [Add a connector](../add-a-connector.md).",
    ...connectors.flatMap(({ title, summary, credential, documentation, operations }) => [
      `## ${plain(title)}`,
      `${plain(summary)} [Documentation](${documentation}). ${credential === undefined ? "It needs no credential." : `Credential: ${plain(credential.title)} (${plain(credentialTypes[credential.type].title)}${credential.optional ? ", optional" : ""}).`}`,
      table(
        ["Operation", "What it does", "Writes"],
        operations.map((one) => [plain(one.title), plain(one.summary), one.writes ? "yes" : ""]),
      ),
    ]),
  ].join("\n\n");
}
