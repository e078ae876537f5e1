import { expect, test } from "vitest";
import { fewestParts } from "../engine/run/share/shared-run.ts";
import { shareRun } from "../engine/run/share/share-run.ts";
import { buildWorkflow } from "../engine/testing/build-workflow.ts";
import { nodeRegistry } from "../nodes/index.ts";
import { geometryOf, isLeftOut } from "../state/editing/shown-ports.ts";
import { openSharedRun } from "./open-shared-run.ts";

test("a card has the size and ports that it has in the studio", () => {
  const document = buildWorkflow({
    nodes: { by: ["switch", { value: "x", cases: ["a", "b"] }], all: ["switch"], agent: ["ai-agent"] },
  });
  const shared = shareRun({ id: "run", workflowId: "w", document, events: [] }, fewestParts, nodeRegistry, () => "");
  const { editor } = openSharedRun(shared);
  const shown = editor.document.getState().document.nodes;
  for (const [id, node] of Object.entries(document.nodes)) {
    const own = geometryOf(nodeRegistry, node);
    const copy = geometryOf(editor.registry, shown[id]!);
    expect(copy.height, id).toBe(own.height);
    for (const [index, port] of own.ports.entries()) {
      const { name, x, y } = port;
      expect(copy.ports[index], id).toMatchObject({ name, x, y });
      expect(isLeftOut(editor.registry, shown[id]!, port), name).toBe(isLeftOut(nodeRegistry, node, port));
    }
  }
});
