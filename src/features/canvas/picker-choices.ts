import { definitionOf } from "../../engine/document/can-connect.ts";
import { type AnyNodeDefinition, offeredTypes } from "../../engine/document/define-node.ts";
import type { Picker, Point } from "../../state/editor/canvas-store.ts";
import type { ConnectorChoice } from "../../nodes/connectors/index.ts";
import { addNode, type NodeStart } from "../../state/commands/add-node.ts";
import { connectPorts } from "../../state/commands/connect-ports.ts";
import { insertNewNode } from "../../state/commands/insert-node.ts";
import { replaceNode } from "../../state/commands/replace-node.ts";
import { type LooseEnd, typesThatFit } from "../../state/editing/find-connection.ts";
import { startOf, useOfType } from "../../state/editor/connectors.ts";
import { fitEdges } from "../../state/editing/fit-edges.ts";
import { typesThatSplit } from "../../state/editing/insert-on-edge.ts";
import { nodeGeometry } from "../../state/editing/node-geometry.ts";
import { openConnections } from "../../state/editing/open-connections.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import type { PickerEntry } from "./picker-list.tsx";

interface Choice extends PickerEntry {
  pick(): void;
}

type PickerOf<Kind extends Picker["kind"]> = Extract<Picker, { kind: Kind }>;

function asChoice(definition: AnyNodeDefinition, pick: () => void): Choice {
  const { type, icon, title, summary, keywords } = definition;
  return { id: type, icon, title, detail: summary, called: keywords, pick };
}

/** The corner of a new card whose connected port comes to lie where the wire was dropped. */
function cornerFor(editor: Editor, wire: LooseEnd, at: Point, type: string): Point {
  const geometry = nodeGeometry(definitionOf(editor.registry, type));
  const direction = wire.direction === "from" ? "input" : "output";
  const { document } = editor.document.getState();
  const source = definitionOf(editor.registry, document.nodes[wire.endpoint.node]?.type ?? "");
  const kind = (wire.direction === "from" ? source?.outputs : source?.inputs)?.[wire.endpoint.port]?.kind;
  const port = geometry.ports.find((placed) => placed.direction === direction && placed.port.kind === kind);
  return { x: at.x - (port?.x ?? 0), y: at.y - (port?.y ?? 0) };
}

/** The operations of services, where a node of the type that they become fits. */
function operationsFor(
  connectors: readonly ConnectorChoice[],
  fitting: readonly AnyNodeDefinition[],
  pick: (made: ReturnType<typeof startOf>) => void,
): Choice[] {
  const uses = fitting.flatMap(({ type }) => useOfType(type) ?? []);
  return connectors.flatMap((choice) =>
    uses.map((use) => ({
      id: `${use} ${choice.id}`,
      icon: choice.connector.icon,
      title: `${choice.connector.title}: ${choice.operation.title}`,
      detail: choice.operation.summary,
      pick: () => pick(startOf(choice, use)),
    })),
  );
}

function addChoices(
  editor: Editor,
  { wire, position }: PickerOf<"add">,
  connectors: readonly ConnectorChoice[],
): Choice[] {
  const { document } = editor.document.getState();
  const fitting = typesThatFit(document, editor.registry, wire);
  const add = (made: { type: string; start?: NodeStart }) => {
    if (position === undefined) addNode(editor.context, { ...made, wire });
    else addNode(editor.context, { ...made, position: cornerFor(editor, wire, position, made.type), wire });
  };
  return [
    ...fitting.map((definition) => asChoice(definition, () => add({ type: definition.type }))),
    ...operationsFor(connectors, fitting, add),
  ];
}

function connectChoices(editor: Editor, { nodeId }: PickerOf<"connect">): Choice[] {
  const { document } = editor.document.getState();
  return openConnections(document, editor.registry, nodeId).map(({ from, to, other, labels }, index) => {
    const words = from.node === nodeId ? `${labels.own} → its ${labels.other}` : `its ${labels.other} → ${labels.own}`;
    return {
      id: `${other.title} ${words} ${index}`,
      icon: definitionOf(editor.registry, other.type)?.icon ?? "box",
      title: other.title,
      detail: words,
      pick: () => void connectPorts(editor.context, from, to),
    };
  });
}

function insertChoices(
  editor: Editor,
  { edgeId, at }: PickerOf<"insert">,
  connectors: readonly ConnectorChoice[],
): Choice[] {
  const { document } = editor.document.getState();
  const edge = document.edges[edgeId];
  if (edge === undefined) return [];
  const fitting = typesThatSplit(document, editor.registry, edge);
  const insert = (made: { type: string; start?: NodeStart }) => {
    const point = at && editor.canvas.getState().controls?.toDocument(at);
    insertNewNode(editor.context, { ...made, edgeId, at: point });
  };
  return [
    ...fitting.map((definition) => asChoice(definition, () => insert({ type: definition.type }))),
    ...operationsFor(connectors, fitting, insert),
  ];
}

/** Other types, those of the same role first, with what would become of the node's connections. */
function replaceChoices(editor: Editor, { nodeId }: PickerOf<"replace">): Choice[] {
  const { document } = editor.document.getState();
  const record = document.nodes[nodeId];
  const own = record && definitionOf(editor.registry, record.type);
  const others = offeredTypes(editor.registry).filter(
    ({ type, drawnAs }) => type !== record?.type && drawnAs !== "frame",
  );
  const alike = others.filter(({ role }) => role === own?.role);
  const unlike = others.filter(({ role }) => role !== own?.role);
  return [...alike, ...unlike].map((definition) => {
    const { kept, lost } = fitEdges(document, editor.registry, nodeId, definition);
    const words =
      lost.length === 0 ? definition.summary : `Keeps ${kept.length} of ${kept.length + lost.length} connections`;
    return { ...asChoice(definition, () => replaceNode(editor.context, nodeId, definition.type)), detail: words };
  });
}

/** What fits the open ports of a node, port by port. */
function extendChoices(editor: Editor, { nodeId }: PickerOf<"extend">): Choice[] {
  const { document } = editor.document.getState();
  const own = definitionOf(editor.registry, document.nodes[nodeId]?.type ?? "");
  const ends = [
    ...Object.entries(own?.outputs ?? {}).map(([port, { label }]) => ({ port, label, direction: "from" as const })),
    ...Object.entries(own?.inputs ?? {}).map(([port, { label }]) => ({ port, label, direction: "to" as const })),
  ];
  return ends.flatMap(({ port, label, direction }) => {
    const wire: LooseEnd = { endpoint: { node: nodeId, port }, direction };
    return typesThatFit(document, editor.registry, wire).map((definition) => {
      const choice = asChoice(definition, () => addNode(editor.context, { type: definition.type, wire }));
      const words = direction === "from" ? `After ${label}` : `For ${label}`;
      return { ...choice, id: `${direction} ${port} ${definition.type}`, detail: words };
    });
  });
}

/** What an open list offers; operations of services among it, once they are there. */
export function choicesOf(editor: Editor, picker: Picker, connectors: readonly ConnectorChoice[] = []): Choice[] {
  switch (picker.kind) {
    case "add":
      return addChoices(editor, picker, connectors);
    case "connect":
      return connectChoices(editor, picker);
    case "insert":
      return insertChoices(editor, picker, connectors);
    case "replace":
      return replaceChoices(editor, picker);
    case "extend":
      return extendChoices(editor, picker);
  }
}
