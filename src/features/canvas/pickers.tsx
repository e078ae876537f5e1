import { canConnect, definitionOf } from "../../engine/document/can-connect.ts";
import type { CanvasState, Picker, Point } from "../../stores/canvas-store.ts";
import { addNode } from "../../stores/commands/add-node.ts";
import { connectPorts } from "../../stores/commands/connect-ports.ts";
import { typesThatFit, type Connection } from "../../stores/editing/find-connection.ts";
import { nodeGeometry } from "../../stores/editing/node-geometry.ts";
import { useCanvasStore, useEditor, type Editor } from "../../stores/editor-context.tsx";
import { type PickerEntry, PickerList } from "./picker-list.tsx";

interface Choice extends PickerEntry {
  pick(): void;
}

/** Every connection that a node may take, in both directions. */
function openConnections(
  { document, registry }: Editor,
  nodeId: string,
): (Connection & { otherNode: string; words: string })[] {
  const workflow = document.getState().document;
  const own = definitionOf(registry, workflow.nodes[nodeId]?.type ?? "");
  if (own === undefined) return [];
  const found: (Connection & { otherNode: string; words: string })[] = [];
  for (const other of Object.values(workflow.nodes)) {
    const definition = definitionOf(registry, other.type);
    if (definition === undefined || other.id === nodeId) continue;
    const tryPair = (from: Connection["from"], to: Connection["to"], words: string) => {
      if (canConnect(workflow, registry, from, to).ok) found.push({ from, to, otherNode: other.id, words });
    };
    for (const [port, output] of Object.entries(own.outputs)) {
      for (const [input, target] of Object.entries(definition.inputs)) {
        tryPair({ node: nodeId, port }, { node: other.id, port: input }, `${output.label} → its ${target.label}`);
      }
    }
    for (const [port, output] of Object.entries(definition.outputs)) {
      for (const [input, target] of Object.entries(own.inputs)) {
        tryPair({ node: other.id, port }, { node: nodeId, port: input }, `its ${output.label} → ${target.label}`);
      }
    }
  }
  return found;
}

function connectChoices(editor: Editor, nodeId: string): Choice[] {
  const { nodes } = editor.document.getState().document;
  return openConnections(editor, nodeId).map((connection, index) => {
    const other = nodes[connection.otherNode];
    return {
      id: `${other?.title ?? ""} ${connection.words} ${index}`,
      icon: definitionOf(editor.registry, other?.type ?? "")?.icon ?? "box",
      title: other?.title ?? "",
      detail: connection.words,
      pick: () => void connectPorts(editor.context, connection.from, connection.to),
    };
  });
}

/** The corner of a new card whose connected port comes to lie where the wire was dropped. */
function cornerFor(editor: Editor, picker: Extract<Picker, { kind: "add" }>, type: string): Point {
  const geometry = nodeGeometry(definitionOf(editor.registry, type));
  const direction = picker.wire.direction === "from" ? "input" : "output";
  const { document } = editor.document.getState();
  const source = definitionOf(editor.registry, document.nodes[picker.wire.endpoint.node]?.type ?? "");
  const kind = (picker.wire.direction === "from" ? source?.outputs : source?.inputs)?.[picker.wire.endpoint.port]?.kind;
  const port = geometry.ports.find((placed) => placed.direction === direction && placed.port.kind === kind);
  return { x: picker.position.x - (port?.x ?? 0), y: picker.position.y - (port?.y ?? 0) };
}

function addChoices(editor: Editor, picker: Extract<Picker, { kind: "add" }>): Choice[] {
  const { document } = editor.document.getState();
  return typesThatFit(document, editor.registry, picker.wire).map((definition) => ({
    id: definition.type,
    icon: definition.icon,
    title: definition.title,
    detail: definition.summary,
    pick: () =>
      void addNode(editor.context, {
        type: definition.type,
        position: cornerFor(editor, picker, definition.type),
        wire: picker.wire,
      }),
  }));
}

/** Beside the card that the connection starts from. */
function besideNode(nodeId: string): Point {
  const card = document.querySelector(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
  const box = card?.getBoundingClientRect();
  return box === undefined ? { x: window.innerWidth / 2, y: 120 } : { x: box.right + 12, y: box.top };
}

const selectPicker = (state: CanvasState) => state.picker;

/** The list that is open on the canvas, if any: nodes that fit a dropped wire, or connections that a node may take. */
export function Pickers() {
  const editor = useEditor();
  const picker = useCanvasStore(selectPicker);
  if (picker === null) return null;
  const choices = picker.kind === "add" ? addChoices(editor, picker) : connectChoices(editor, picker.nodeId);
  const close = () => editor.canvas.setState({ picker: null });
  return (
    <PickerList
      at={picker.kind === "add" ? picker.at : besideNode(picker.nodeId)}
      label={picker.kind === "add" ? "Add a node that fits" : "Connect to…"}
      empty={picker.kind === "add" ? "No node fits this port." : "Nothing here can be connected to this node."}
      entries={choices}
      onPick={(id) => {
        close();
        choices.find((choice) => choice.id === id)?.pick();
      }}
      onClose={close}
    />
  );
}
