import { newDocument } from "../../engine/document/new-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { createCanvasStore } from "../editor/canvas-store.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { addNode, type AddNodeOptions } from "./add-node.ts";
import type { CommandContext, Notice } from "./command.ts";

/** An editor without a screen: the real stores, the real node types, ids that count up, and what was told. */
export function testEditor() {
  let count = 0;
  const notices: Notice[] = [];
  const document = createDocumentStore(newDocument("w1", "Test"), 1);
  const canvas = createCanvasStore();
  const context: CommandContext = {
    document,
    canvas,
    registry: nodeRegistry,
    newId: () => `id-${(count += 1)}`,
    notify: (notice) => void notices.push(notice),
  };
  const add = (options: AddNodeOptions): string => {
    const id = addNode(context, options);
    if (id === undefined) throw new Error(`There is no node type "${options.type}".`);
    return id;
  };
  const workflow = () => document.getState().document;
  const wires = () =>
    Object.values(workflow().edges).map(({ from, to }) => `${from.node}.${from.port} → ${to.node}.${to.port}`);
  return { context, document, canvas, notices, add, workflow, wires };
}
