import { isJsonObject, type Json, type JsonObject, readJson } from "../../engine/json.ts";
import { safeJson } from "../draft.ts";
import { placeOf, withoutPile } from "../place.ts";
import { type FlowEdge, type FlowGraph, type FlowNode, sortedEdges } from "../flow/flow-graph.ts";

export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const textOf = (value: Json | undefined, usual = ""): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : usual;
const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function isFlow(value: Json | undefined): value is JsonObject {
  const nodes = isJsonObject(value) && isJsonObject(value.data) ? value.data.nodes : undefined;
  return (
    Array.isArray(nodes) &&
    nodes.some((node) => isJsonObject(node) && isJsonObject(node.data) && isJsonObject(node.data.node))
  );
}

/** The flows of a file: one as it is exported, or a list of them. */
export function langflowsIn(value: unknown): JsonObject[] {
  const source = value as Json;
  if (isFlow(source)) return [source];
  const list = Array.isArray(source) ? source : isJsonObject(source) && Array.isArray(source.flows) ? source.flows : [];
  return list.filter(isFlow);
}

/** A handle: an object, or the same as text with `œ` for quotation marks. */
function handleOf(raw: Json | undefined, inData: Json | undefined): JsonObject {
  if (isJsonObject(inData)) return inData;
  if (isJsonObject(raw)) return raw;
  try {
    return objectOf(safeJson(readJson(textOf(raw).replaceAll("œ", '"'))));
  } catch {
    return {};
  }
}

/** Reads a flow; handles become the names of outputs and fields. */
export function readLangflow(source: JsonObject): FlowGraph {
  const data = objectOf(source.data);
  const nodes = withoutPile(readNodes(listOf(data.nodes)));
  const edges = listOf(data.edges).map((raw): FlowEdge => {
    const handles = objectOf(raw.data);
    return {
      from: textOf(raw.source),
      fromHandle: textOf(handleOf(raw.sourceHandle, handles.sourceHandle).name),
      to: textOf(raw.target),
      toHandle: textOf(handleOf(raw.targetHandle, handles.targetHandle).fieldName),
    };
  });
  return {
    format: "langflow",
    name: textOf(source.name),
    description: textOf(source.description),
    nodes,
    ...sortedEdges(nodes, edges),
  };
}

function readNodes(list: readonly JsonObject[]): FlowNode[] {
  const seen = new Set<string>();
  return list.flatMap((raw, index) => {
    const data = objectOf(raw.data);
    const id = textOf(raw.id) || textOf(data.id) || `#${index}`;
    if (seen.has(id) || Object.keys(data).length === 0) return [];
    seen.add(id);
    const inner = objectOf(data.node);
    // A component's Python is kept only where it is the user's own.
    const template = Object.fromEntries(
      Object.entries(objectOf(inner.template)).map(([name, field]) => [
        name,
        isJsonObject(field) ? safeJson(field.value) : null,
      ]),
    );
    const type = raw.type === "noteNode" ? "note" : textOf(data.type) || "unknown";
    return [
      {
        id,
        name: textOf(inner.display_name) || type,
        type,
        position: placeOf(raw.position),
        data: { ...template, description: textOf(inner.description), isTool: inner.tool_mode === true },
      },
    ];
  });
}
