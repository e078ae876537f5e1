import { nodeSlugs } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

const templates = /\{\{[\s\S]*?\}\}/g;

/** In `{{ … }}`: the slug as a word of its own, after `nodes.` or at the start of a path, outside of quotes. */
function renameInText(text: string, before: string, after: string): string {
  const quotedOrSlug = new RegExp(
    `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|(?<=[^\\w.]|\\bnodes\\.)${before}(?=\\W)`,
    "g",
  );
  return text.replace(templates, (template) =>
    template.replace(quotedOrSlug, (found) => (found === before ? after : found)),
  );
}

function renameInValue(value: Json, before: string, after: string): Json {
  if (typeof value === "string") return value.includes("{{") ? renameInText(value, before, after) : value;
  if (Array.isArray(value)) return value.map((item) => renameInValue(item, before, after));
  return isJsonObject(value) ? renameInConfig(value, before, after) : value;
}

function renameInConfig(config: JsonObject, before: string, after: string): JsonObject {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, renameInValue(value, before, after)]));
}

/** Changes a node's title and, in every template of the document, the slugs that change with it. Edits in place. */
export function renameReferences(document: WorkflowDocument, nodeId: string, title: string): void {
  const node = document.nodes[nodeId];
  if (node === undefined) return;
  const before = nodeSlugs(document);
  node.title = title;
  const after = nodeSlugs(document);
  const changed = [...before].flatMap(([id, slug]) => {
    const next = after.get(id);
    return next !== undefined && next !== slug ? [{ slug, next }] : [];
  });
  if (changed.length === 0) return;
  for (const other of Object.values(document.nodes)) {
    let config = other.config;
    // Through a name that nothing else has, so that two slugs that swap places do not meet.
    changed.forEach(({ slug }, index) => (config = renameInConfig(config, slug, `__renamed_${index}__`)));
    changed.forEach(({ next }, index) => (config = renameInConfig(config, `__renamed_${index}__`, next)));
    if (JSON.stringify(config) !== JSON.stringify(other.config)) other.config = config;
  }
}
