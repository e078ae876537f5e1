import { z } from "zod/mini";
import { canonicalJson } from "../canonical-json.ts";
import { describeFields, type FieldDescription } from "../config/describe-fields.ts";
import { isVisible } from "../config/field-values.ts";
import { pathText, type UnknownKey, unknownKeys } from "../config/unknown-keys.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { definitionOf } from "./can-connect.ts";
import type { NodeRegistry } from "./define-node.ts";
import type { NodeRecord } from "./workflow-document.ts";
import { edgeRecord, nodeRecord, workflowDocument } from "./workflow-document.ts";

/** Whose own keys a document's parts are checked by; configs and what an import wrote down are looked at apart. */
const documentShape = z.object({
  ...workflowDocument.shape,
  nodes: z.record(z.string(), nodeRecord),
  edges: z.record(z.string(), edgeRecord),
  importReport: z.optional(z.json()),
});

/**
 * What a workflow's file says without effect, in words: keys that there are not, each with the nearest one that there is, and settings
 * that count only while another one is on. Nodes of unknown types are left alone.
 */
export function settingNotes(
  value: JsonObject,
  nodes: Readonly<Record<string, NodeRecord>>,
  registry: NodeRegistry,
): string[] {
  const parts = { ...value, nodes: byId(value.nodes), edges: byId(value.edges) };
  const notes = unknownKeys(documentShape, parts).map((found) => `${unknownNote(found)} It is left out.`);
  for (const { id, type, title, config } of Object.values(nodes)) {
    const definition = definitionOf(registry, type);
    if (!definition) continue;
    const place = ["nodes", id, "config"];
    for (const found of unknownKeys(definition.config, config, place))
      notes.push(`${unknownNote(found, `"${title}" (${type})`)} It has no effect.`);
    const fields = describeFields(definition.config);
    for (const field of fields) {
      const needed = withoutEffect(field, fields, config);
      if (needed !== undefined)
        notes.push(`"${pathText([...place, field.name])}" has no effect: it counts only ${needed}.`);
    }
  }
  return notes;
}

function unknownNote({ path, nearest }: UnknownKey, owner?: string): string {
  const of = owner === undefined ? "is not known" : `is no setting of ${owner}`;
  return `"${pathText(path)}" ${of}.${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`;
}

/** Under which condition a setting counts that is filled in and does not count now; undefined for all others. */
function withoutEffect(
  field: FieldDescription,
  fields: readonly FieldDescription[],
  config: JsonObject,
): string | undefined {
  const { visibleWhen, name, default: untouched, hidden } = field;
  const value = config[name];
  if (!visibleWhen || hidden || value === undefined || isVisible(field, fields, config)) return undefined;
  // Forms store what nobody touched, too.
  if (value === null || value === "" || canonicalJson(value) === canonicalJson(untouched)) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (isJsonObject(value) && Object.keys(value).length === 0) return undefined;
  const wanted = visibleWhen.in.map((one) => JSON.stringify(one)).join(" or ");
  return `where "${visibleWhen.field}" is ${wanted}`;
}

/** Nodes and edges by id, whether they stand in a list or a record. */
function byId(value: Json | undefined): Json {
  if (!Array.isArray(value)) return value ?? {};
  return Object.fromEntries(
    value.map((entry, index) => [
      isJsonObject(entry) && typeof entry.id === "string" ? entry.id : String(index),
      entry,
    ]),
  );
}
