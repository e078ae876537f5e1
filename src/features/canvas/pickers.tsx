import { useMemo } from "react";
import type { CanvasState, Picker, Point } from "../../state/editor/canvas-store.ts";
import { useConnectors } from "../../state/editor/connectors.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { choicesOf } from "./picker-choices.ts";
import { PickerList } from "./picker-list.tsx";

const words: Record<Picker["kind"], { label: string; empty: string }> = {
  add: { label: "Add a node that fits", empty: "No node fits this port." },
  connect: { label: "Connect to…", empty: "Nothing on the canvas can connect to this node." },
  insert: { label: "Insert a node here", empty: "No node fits between these two." },
  replace: { label: "Replace with…", empty: "No other node type has that name." },
  extend: { label: "Add a connected node", empty: "Every port of this node is taken." },
};

function besideElement(selector: string): Point {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box === undefined ? { x: window.innerWidth / 2, y: 120 } : { x: box.right + 12, y: box.top };
}

/** Where the list opens: at the pointer, or beside what it is about. */
function placeOf(picker: Picker): Point {
  switch (picker.kind) {
    case "add":
      return picker.at;
    case "insert":
      return picker.at ?? besideElement(`.react-flow__edge[data-id="${CSS.escape(picker.edgeId)}"]`);
    case "connect":
    case "replace":
    case "extend":
      return besideElement(`.react-flow__node[data-id="${CSS.escape(picker.nodeId)}"]`);
  }
}

const selectPicker = (state: CanvasState) => state.picker;

/** The list that is open on the canvas, if any. */
function OpenPicker({ picker }: { picker: Picker }) {
  const editor = useEditor();
  const connectors = useConnectors(picker.kind === "add" || picker.kind === "insert");
  const choices = useMemo(() => choicesOf(editor, picker, connectors), [editor, picker, connectors]);
  const at = useMemo(() => placeOf(picker), [picker]);
  const close = () => editor.canvas.setState({ picker: null });
  return (
    <PickerList
      at={at}
      {...words[picker.kind]}
      entries={choices}
      onPick={(id) => {
        close();
        choices.find((choice) => choice.id === id)?.pick();
      }}
      onClose={close}
    />
  );
}

export function Pickers() {
  const picker = useCanvasStore(selectPicker);
  return picker === null ? null : <OpenPicker picker={picker} />;
}
