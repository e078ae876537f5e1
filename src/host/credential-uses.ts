import { isJsonObject } from "../engine/json.ts";
import type { CredentialUse } from "../stores/services.ts";

/** Which workflows name which credentials in the `credential` field of their nodes; one entry per pair. */
export function credentialUses(workflows: readonly { id: string; name: string; nodes?: unknown }[]): CredentialUse[] {
  return workflows.flatMap(({ id, name, nodes }) =>
    [...credentialIds(nodes)].map((credentialId) => ({ credentialId, workflowId: id, workflowName: name })),
  );
}

function credentialIds(nodes: unknown): Set<string> {
  const ids = new Set<string>();
  for (const node of isJsonObject(nodes) ? Object.values(nodes) : []) {
    const credential = isJsonObject(node) && isJsonObject(node.config) ? node.config.credential : undefined;
    if (typeof credential === "string" && credential !== "") ids.add(credential);
  }
  return ids;
}
