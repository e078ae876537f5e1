import { compatibleServers, compatibleVendor } from "../../engine/vendors/compatible-servers.ts";
import type { CredentialRepository, CredentialSummary, LocalModelServer } from "../../services/services.ts";

/** What is said where no server of this machine can be used, with which it would be: "models" or "embedding model". */
export function noLocalServer(
  servers: readonly Pick<LocalModelServer, "id">[],
  missing: "models" | "embedding model",
): { title: string; hint: string } {
  if (servers.length === 0) {
    return {
      title: "Neither Ollama nor LM Studio answers on this computer.",
      hint: "Start one of them, then try again.",
    };
  }
  const titles = servers.map(({ id }) => compatibleServers[id].title).join(" and ");
  const example = missing === "models" ? "a model" : "one";
  return {
    title: `${titles} ${servers.length === 1 ? "has" : "have"} no ${missing} yet.`,
    hint: `Download ${example} there${missing === "models" ? "" : ", such as nomic-embed-text"}, then try again.`,
  };
}

/** The stored credential without a key for a server of this machine, or a new one. */
export async function localServerCredential(
  server: Pick<LocalModelServer, "id" | "baseUrl">,
  credentials: Pick<CredentialRepository, "page" | "save">,
): Promise<CredentialSummary> {
  const { host } = new URL(server.baseUrl);
  const { rows } = await credentials.page({ limit: 100, types: [compatibleVendor] });
  const stored = rows.find(({ allowedHosts, lastFour }) => allowedHosts[0] === host && lastFour === "");
  if (stored !== undefined) return stored;
  return credentials.save({
    name: compatibleServers[server.id].title,
    type: compatibleVendor,
    fields: { baseUrl: server.baseUrl },
  });
}
