import { describe, expect, it } from "vitest";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { createCanvasStore, singleSelectedNode } from "./canvas-store.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { pruneSelection } from "./prune-selection.ts";

describe("the selection", () => {
  it("loses a node whose addition is undone, so that the next one selected stands alone", () => {
    const workflow = buildWorkflow({ nodes: { agent: ["ai-agent", {}], chat: ["chat-trigger", {}] }, edges: [] });
    const document = createDocumentStore(workflow, 1);
    const canvas = createCanvasStore();
    pruneSelection(document, canvas);
    const { commit, mark, undo } = document.getState();
    mark();
    commit("Add a node", ({ nodes }) => {
      const { chat } = nodes;
      if (chat) nodes["added"] = { ...chat, id: "added" };
    });
    canvas.getState().select(["added", "agent"]);
    undo();
    expect(singleSelectedNode(canvas.getState())).toBe("agent");
  });
});
