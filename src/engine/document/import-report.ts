import { z } from "zod/mini";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** What of nodes says how far an entry is done. */
type Nodes = Readonly<Record<string, { type: string; config: JsonObject }>>;

/** Entries that stay with a workflow; an import of more says how many were not kept. */
export const mostKeptEntries = 200;

const longest = { name: 200, type: 300, note: 600 } as const;

/** Builders and formats, by the names under which a report keeps them. */
export const importFormats = ["n8n", "dify", "flowise", "langflow", "agent-builder", "openapi", "curl"] as const;

const count = z.catch(z.int().check(z.minimum(0), z.maximum(100_000)), 0);

/**
 * A text that came with a file: one line, cut, and without what makes it look like something else, such as characters that
 * turn the direction of what follows.
 */
function plainLine(value: Json | undefined, length: number): string {
  if (typeof value !== "string") return "";
  const line = value.slice(0, length * 2).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

const line = (length: number) =>
  z.pipe(
    z.json(),
    z.transform((value) => plainLine(value, length)),
  );

/** Something that an import could not simply take over, and what has to be done about it. */
export const keptEntry = z.object({
  about: z.enum(["node", "edge", "expression", "credential", "setting"]),
  /** What it is called in the file; of an edge, both ends. */
  node: line(longest.name),
  sourceType: line(longest.type),
  outcome: z.enum(["approximated", "needsCredential", "placeholder"]),
  note: line(longest.note),
  /** The node here that it is about; where a credential is missing, the node that needs it. */
  nodeId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** Ticked off by a person. */
  done: z.optional(z.literal(true)),
});

/** What became of an imported workflow, kept with it until somebody removes it. */
export const keptReport = z.object({
  format: z.enum(importFormats),
  /** It came with the file of a workflow, so that whoever made the file may have written it. */
  received: z.optional(z.literal(true)),
  nodes: z.object({ total: count, mapped: count, approximated: count, needsCredential: count, placeholder: count }),
  edges: z.object({ total: count, mapped: count }),
  expressions: z.object({ total: count, cel: count, code: count }),
  entries: z.array(keptEntry).check(z.maxLength(mostKeptEntries)),
  /** How many entries were not kept. */
  more: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(100_000))), undefined),
});

export type KeptEntry = z.infer<typeof keptEntry>;
export type KeptReport = z.infer<typeof keptReport>;

/**
 * Reads the report of a stored or received document. Entries that are none are left out, texts are cut to one line; undefined
 * for what is no report at all, which keeps no document from being read.
 */
export function readKeptReport(value: Json | undefined): KeptReport | undefined {
  if (!isJsonObject(value)) return undefined;
  const all = Array.isArray(value.entries) ? value.entries : [];
  const entries = all.slice(0, mostKeptEntries).flatMap((entry) => {
    const read = keptEntry.safeParse(entry);
    return read.success ? [read.data] : [];
  });
  const cut = Math.min(Math.max(0, all.length - mostKeptEntries), 100_000);
  const read = keptReport.safeParse({ ...value, entries, ...(cut > 0 ? { more: cut } : {}) });
  return read.success ? read.data : undefined;
}

/**
 * The report of a document that came from outside: marked as such, nothing ticked off, and without places that the document
 * does not have.
 */
export function receivedReport(report: KeptReport, nodes: Nodes): KeptReport {
  const entries = report.entries.map(({ done: _done, nodeId, ...entry }) => ({
    ...entry,
    ...(nodeId !== undefined && Object.hasOwn(nodes, nodeId) ? { nodeId } : {}),
  }));
  return { ...report, received: true, entries };
}

/** How an entry stands: still to do, ticked off, or settled by what became of its node since. */
export type EntryState = "open" | "done" | "replaced" | "connected" | "removed";

const placeholders: ReadonlySet<string> = new Set(["placeholder", "placeholder-tool"]);

/**
 * How an entry stands in the document as it is now. The database counts by the same rule
 * (`studio_import_state` in supabase/migrations).
 */
export function entryState(entry: KeptEntry, nodes: Nodes): EntryState {
  if (entry.done === true) return "done";
  if (entry.nodeId === undefined) return "open";
  const node = Object.hasOwn(nodes, entry.nodeId) ? nodes[entry.nodeId] : undefined;
  if (!node) return "removed";
  if (entry.outcome === "placeholder" && entry.about === "node" && !placeholders.has(node.type)) return "replaced";
  const { credential } = node.config;
  if (entry.outcome === "needsCredential" && typeof credential === "string" && credential !== "") return "connected";
  return "open";
}

/** How many entries are still to be done. */
export function openCount({ importReport, nodes }: { importReport?: KeptReport | undefined; nodes: Nodes }): number {
  return importReport?.entries.filter((entry) => entryState(entry, nodes) === "open").length ?? 0;
}
