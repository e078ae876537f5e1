import type { Json, JsonObject } from "../json.ts";
import { type TypedSecret, withoutTypedSecrets } from "./typed-secrets.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/**
 * A document without texts that look like secrets and without ids of credentials, which mean nothing elsewhere; `removed` says where
 * the secrets stood. `credential` names what stands in the place of an id; nothing does when absent.
 */
export function cleanForExport(
  whole: WorkflowDocument,
  credential: (id: string) => string = () => "",
): { document: WorkflowDocument; removed: readonly TypedSecret[] } {
  const { document, removed } = withoutTypedSecrets(whole);
  const renamed = (config: JsonObject) =>
    Object.fromEntries(
      Object.entries(config).map(([key, value]): [string, Json] => [
        key,
        key === "credential" ? (typeof value === "string" && value !== "" ? credential(value) : "") : value,
      ]),
    );
  const nodes = Object.fromEntries(
    Object.entries(document.nodes).map(([id, node]) => [id, { ...node, config: renamed(node.config) }]),
  );
  return { document: { ...document, nodes }, removed };
}

/** Names for credentials in files: `credential-1`, and so on, in the order in which they are asked for. */
export function credentialNames(): (id: string) => string {
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? `credential-${names.size + 1}`;
    names.set(id, name);
    return name;
  };
}
