import { definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { Picker, Point } from "../../stores/canvas-store.ts";
import { addNode } from "../../stores/commands/add-node.ts";
import { connectPorts } from "../../stores/commands/connect-ports.ts";
import { insertNewNode } from "../../stores/commands/insert-node.ts";
import { replaceNode } from "../../stores/commands/replace-node.ts";
import { type LooseEnd, typesThatFit } from "../../stores/editing/find-connection.ts";
import { fitEdges } from "../../stores/editing/fit-edges.ts";
import { typesThatSplit } from "../../stores/editing/insert-on-edge.ts";
import { nodeGeometry } from "../../stores/editing/node-geometry.ts";
import { openConnections } from "../../stores/editing/open-connections.ts";
import type { Editor } from "../../stores/editor-context.tsx";
import type { PickerEntry } from "./picker-list.tsx";

interface Choice extends PickerEntry {
  pick(): void;
}

type PickerOf<Kind extends Picker["kind"]> = Extract<Picker, { kind: Kind }>;

function asChoice(definition: AnyNodeDefinition, pick: () => void): Choice {
  const { type, icon, title, summary } = definition;
  return { id: type, icon, title, detail: summary, pick };
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

function addChoices(editor: Editor, { wire, position }: PickerOf<"add">): Choice[] {
  const { document } = editor.document.getState();
  return typesThatFit(document, editor.registry, wire).map((definition) =>
    asChoice(definition, () => {
      const { type } = definition;
      if (position === undefined) addNode(editor.context, { type, wire });
      else addNode(editor.context, { type, position: cornerFor(editor, wire, position, type), wire });
    }),
  );
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

function insertChoices(editor: Editor, { edgeId, at }: PickerOf<"insert">): Choice[] {
  const { document } = editor.document.getState();
  const edge = document.edges[edgeId];
  if (edge === undefined) return [];
  return typesThatSplit(document, editor.registry, edge).map((definition) =>
    asChoice(definition, () => {
      const point = at && editor.canvas.getState().controls?.toDocument(at);
      insertNewNode(editor.context, { type: definition.type, edgeId, at: point });
    }),
  );
}

/** Other types, those of the same role first, with what would become of the node's connections. */
function replaceChoices(editor: Editor, { nodeId }: PickerOf<"replace">): Choice[] {
  const { document } = editor.document.getState();
  const record = document.nodes[nodeId];
  const own = record && definitionOf(editor.registry, record.type);
  const others = Object.values(editor.registry).filter(({ type }) => type !== record?.type && type !== "group");
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

/** What an open list offers. */
export function choicesOf(editor: Editor, picker: Picker): Choice[] {
  switch (picker.kind) {
    case "add":
      return addChoices(editor, picker);
    case "connect":
      return connectChoices(editor, picker);
    case "insert":
      return insertChoices(editor, picker);
    case "replace":
      return replaceChoices(editor, picker);
    case "extend":
      return extendChoices(editor, picker);
  }
}
