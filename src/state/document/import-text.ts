import type { EntryState, KeptReport } from "../../engine/document/import-report.ts";
import type { OpenImport } from "../../services/services.ts";

const formatNames: Readonly<Record<KeptReport["format"], string>> = {
  n8n: "n8n",
  dify: "Dify",
  flowise: "Flowise",
  langflow: "Langflow",
  "agent-builder": "Agent Builder",
  openapi: "OpenAPI",
  curl: "cURL",
};

/** The name of a builder or format, as it writes itself. */
export function formatName(format: string): string {
  return Object.hasOwn(formatNames, format) ? formatNames[format as KeptReport["format"]] : "another builder";
}

/** Where a workflow comes from, and how many nodes it has there; here they may become more or fewer. */
export function sourceWords(format: string, nodes: number): string {
  return `${formatName(format)}, ${nodes === 1 ? "1 node" : `${nodes.toLocaleString("en")} nodes`} there`;
}

/** What an import left to do, in words for one and for several. */
export const openWords: Readonly<Record<OpenImport, { one: string; many: string; filter: string }>> = {
  placeholder: { one: "placeholder", many: "placeholders", filter: "Has placeholders" },
  needsCredential: { one: "credential missing", many: "credentials missing", filter: "Needs credentials" },
  approximated: { one: "thing to check", many: "things to check", filter: "Has things to check" },
};

/** What became of an entry since the import. */
export const stateWords: Readonly<Record<Exclude<EntryState, "open">, string>> = {
  done: "Done",
  replaced: "Replaced",
  connected: "Credential chosen",
  removed: "Node removed",
};
