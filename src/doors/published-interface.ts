import { definitionOf, portOf } from "../engine/document/can-connect.ts";
import type { NodeRegistry } from "../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../engine/document/workflow-document.ts";
import { isJsonObject, type JsonSchema } from "../engine/json.ts";

/** How programs use a published version. */
export interface PublishedInterface {
  /** What a run is started with. */
  inputSchema: JsonSchema;
  /** Whether it is started with a message, and so can be talked to. */
  takesMessages: boolean;
  /** Whether runs belong to conversations, by `sessionId`. */
  hasSessions: boolean;
  /** Whether pictures or files may come with the input. */
  takesFiles: boolean;
  /** What its chat trigger offers to ask. */
  questions: string[];
  /** The agents whose text is the run's answer: nothing comes after them. */
  answering: string[];
  /** Whether an agent's JSON is the run's answer. */
  answersJson: boolean;
}

/** Reads from a document how programs use it. Of several triggers, the one that takes messages counts, else the first. */
export function publishedInterface(document: WorkflowDocument, registry: NodeRegistry): PublishedInterface {
  const nodes = Object.values(document.nodes).filter((node) => node.disabled !== true);
  const schemas = nodes.flatMap((node) => {
    const schema = definitionOf(registry, node.type)?.inputSchema?.(node.config);
    return schema === undefined ? [] : [schema];
  });
  const inputSchema = schemas.find((schema) => hasProperty(schema, "message")) ?? schemas[0] ?? {};
  const followed = new Set(
    Object.values(document.edges).flatMap(({ from }) => {
      const source = document.nodes[from.node];
      const definition = source && definitionOf(registry, source.type);
      return definition && portOf(definition.outputs, from.port)?.kind === "main" ? [from.node] : [];
    }),
  );
  const last = nodes.filter(({ id, type }) => definitionOf(registry, type)?.role === "agent" && !followed.has(id));
  // Text that is to become JSON is not for a reader.
  const writesJson = ({ config }: NodeRecord) => config["outputFormat"] === "json";
  return {
    inputSchema,
    takesMessages: hasProperty(inputSchema, "message"),
    hasSessions: hasProperty(inputSchema, "sessionId"),
    takesFiles: hasProperty(inputSchema, "images") || hasProperty(inputSchema, "files"),
    questions: nodes.flatMap(questionsOf),
    answering: last.filter((node) => !writesJson(node)).map(({ id }) => id),
    answersJson: last.some(writesJson),
  };
}

/** The examples of a chat trigger; other nodes have none. */
function questionsOf({ type, config: { questions } }: NodeRecord): string[] {
  if (type !== "chat-trigger" || !Array.isArray(questions)) return [];
  return questions.filter((text) => typeof text === "string").filter((text) => text.trim() !== "");
}

function hasProperty({ properties }: JsonSchema, name: string): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, name);
}
