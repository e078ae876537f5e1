import { Background, ReactFlow, type Edge, type Node, useEdgesState, useNodesState } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

/** React Flow as its own first page shows it: default nodes in the same grid, nothing else. */
const asked = new URLSearchParams(window.location.search);
const count = Number(asked.get("nodes"));
const whole = asked.get("view") === "fit";
const selected = new Set(asked.get("selected")?.split(","));

const nodes: Node[] = Array.from({ length: count }, (_, index) => ({
  id: `n${index}`,
  position: { x: (index % 40) * 320, y: Math.floor(index / 40) * 160 },
  data: { label: `Node ${index}` },
  style: { width: 232 },
  selected: selected.has(`n${index}`),
}));
const edges: Edge[] = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: `n${index}`, target: id }));

function Page() {
  const [shown, , onNodesChange] = useNodesState(nodes);
  const [wires, , onEdgesChange] = useEdgesState(edges);
  return createElement(
    ReactFlow,
    {
      nodes: shown,
      edges: wires,
      onNodesChange,
      onEdgesChange,
      minZoom: 0.1,
      fitView: whole,
      onlyRenderVisibleElements: !whole,
    },
    createElement(Background),
  );
}

const container = document.getElementById("root");
if (container === null) throw new Error("The page has no #root element.");
createRoot(container).render(createElement(Page));
