import { describeFields } from "../../src/engine/config/describe-fields.ts";
import { definitionOf } from "../../src/engine/document/can-connect.ts";
import type { NodeRecord, WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import { isJsonObject, type Json } from "../../src/engine/json.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";

/** One way in which a workflow was broken on purpose. */
export interface Mutation {
  operator:
    | "cut wire"
    | "missing model"
    | "wrong path"
    | "wrong schema"
    | "swapped tool texts"
    | "lost name"
    | "wrong code";
  /** What was broken, for the table's reader. */
  at: string;
  broken: WorkflowDocument;
}

/** Every mutation of a workflow that these rules know; whether it changes anything is for a run to say. */
export function mutationsOf(document: WorkflowDocument): Mutation[] {
  return [
    ...cutWires(document),
    ...missingModels(document),
    ...wrongPaths(document),
    ...wrongSchemas(document),
    ...swappedTexts(document),
    ...lostNames(document),
    ...wrongCode(document),
  ];
}

function copyOf(document: WorkflowDocument, change: (copy: WorkflowDocument) => void): WorkflowDocument {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

function withConfig(document: WorkflowDocument, nodeId: string, config: Record<string, Json>): WorkflowDocument {
  return copyOf(document, ({ nodes }) => {
    const node = nodes[nodeId];
    if (node) node.config = { ...node.config, ...config };
  });
}

function cutWires(document: WorkflowDocument): Mutation[] {
  return Object.keys(document.edges).map((id) => ({
    operator: "cut wire",
    at: id,
    broken: copyOf(document, ({ edges }) => delete edges[id]),
  }));
}

function missingModels(document: WorkflowDocument): Mutation[] {
  return nodesOf(document, (node) => definitionOf(nodeRegistry, node.type)?.role === "model").map(({ id }) => ({
    operator: "missing model",
    at: id,
    broken: copyOf(document, ({ nodes, edges }) => {
      delete nodes[id];
      for (const { id: edge, from } of Object.values(edges)) if (from.node === id) delete edges[edge];
    }),
  }));
}

/** The last letter but one of a name in a template is left out: `json.message` → `json.messae`. */
function wrongPaths(document: WorkflowDocument): Mutation[] {
  return Object.values(document.nodes).flatMap(({ id, config }) =>
    Object.entries(config).flatMap(([field, value]) => {
      const text = JSON.stringify(value);
      return [...text.matchAll(/\{\{[^}]*\}\}/g)].flatMap((template) =>
        [...template[0].matchAll(/\.([a-z_]{3,})(?![a-z_(])/g)].map((path): Mutation => {
          const end = template.index + path.index + path[0].length;
          const wrong = `${text.slice(0, end - 2)}${text.slice(end - 1)}`;
          const broken = withConfig(document, id, { [field]: JSON.parse(wrong) as Json });
          return { operator: "wrong path", at: `${id}.${field}${path[0]}`, broken };
        }),
      );
    }),
  );
}

/** A property of an output schema gets another type, which no answer has that is right. */
function wrongSchemas(document: WorkflowDocument): Mutation[] {
  return Object.values(document.nodes).flatMap(({ id, config }) => {
    const schema = config["outputSchema"];
    if (!isJsonObject(schema) || !isJsonObject(schema["properties"])) return [];
    const properties = schema["properties"];
    return Object.entries(properties).flatMap(([name, property]): Mutation[] => {
      if (!isJsonObject(property)) return [];
      const type = property["type"] === "string" ? "integer" : "boolean";
      const outputSchema = { ...schema, properties: { ...properties, [name]: { ...property, type } } };
      return [{ operator: "wrong schema", at: `${id}.${name}`, broken: withConfig(document, id, { outputSchema }) }];
    });
  });
}

/** Two tools of one agent have each other's names and descriptions. */
function swappedTexts(document: WorkflowDocument): Mutation[] {
  const tools = Object.values(document.edges).filter(({ to }) => to.port === "tools");
  return tools.flatMap((one, index) =>
    tools.slice(index + 1).flatMap((other): Mutation[] => {
      const [a, b] = [document.nodes[one.from.node], document.nodes[other.from.node]];
      if (a === undefined || b === undefined || one.to.node !== other.to.node) return [];
      const broken = withConfig(withConfig(document, a.id, textsOf(b)), b.id, textsOf(a));
      return [{ operator: "swapped tool texts", at: `${a.id} and ${b.id}`, broken }];
    }),
  );
}

function textsOf({ type, config }: NodeRecord): Record<string, Json> {
  const definition = definitionOf(nodeRegistry, type);
  const fields = definition ? describeFields(definition.config) : [];
  return Object.fromEntries(
    ["toolName", "toolDescription"].flatMap((name) => {
      const value = config[name] ?? fields.find((field) => field.name === name)?.default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A node gets another title, and templates that name it are forgotten. */
function lostNames(document: WorkflowDocument): Mutation[] {
  const role = (node: NodeRecord) => definitionOf(nodeRegistry, node.type)?.role;
  return nodesOf(document, (node) => role(node) === "flow" && node.type !== "sticky-note").map(({ id }) => ({
    operator: "lost name",
    at: id,
    broken: copyOf(document, ({ nodes }) => {
      const node = nodes[id];
      if (node) node.title = definitionOf(nodeRegistry, node.type)?.title ?? node.title;
    }),
  }));
}

/** The first use of a variable of some code is misspelled. */
function wrongCode(document: WorkflowDocument): Mutation[] {
  return Object.values(document.nodes).flatMap(({ id, config }): Mutation[] => {
    const code = config["code"];
    if (typeof code !== "string") return [];
    const name = /\b(?:json|text|order|amount|celsius|from)\b(?!['\s]*:)/.exec(code);
    if (name === null) return [];
    const wrong = `${code.slice(0, name.index)}${name[0].slice(0, -1)}${code.slice(name.index + name[0].length)}`;
    return [{ operator: "wrong code", at: `${id}.${name[0]}`, broken: withConfig(document, id, { code: wrong }) }];
  });
}

function nodesOf({ nodes }: WorkflowDocument, fits: (node: NodeRecord) => boolean): NodeRecord[] {
  return Object.values(nodes).filter(fits);
}
