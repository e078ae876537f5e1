import { describe, expect, it } from "vitest";
import { withoutEdge } from "../../state/commands/reconnect.ts";
import { testEditor } from "../../state/commands/testing-editor.ts";
import { dropOnNode, refusalReason } from "./drop-wire.ts";

function agentWithModel() {
  const editor = testEditor();
  const agent = editor.add({ type: "ai-agent", position: { x: 0, y: 0 } });
  editor.canvas.getState().select([agent]);
  const model = editor.add({ type: "demo-model" });
  const [edge] = Object.values(editor.workflow().edges);
  if (edge === undefined) throw new Error("The model was not wired to the agent.");
  const scene = () => ({ document: editor.workflow(), registry: editor.context.registry });
  const wire = { endpoint: { node: model, port: "model" }, direction: "from" as const };
  return { ...editor, agent, model, edge, scene, wire };
}

describe("a wire released on a card", () => {
  it("goes to the first port that fits", () => {
    const { add, scene, wire } = agentWithModel();
    const other = add({ type: "ai-agent", position: { x: 900, y: 0 } });
    expect(dropOnNode(scene(), wire, other)).toEqual({ from: wire.endpoint, to: { node: other, port: "model" } });
  });

  it("says why nothing there fits", () => {
    const { add, scene, wire } = agentWithModel();
    const tool = add({ type: "calculator-tool", position: { x: 900, y: 0 } });
    expect(dropOnNode(scene(), wire, tool)).toBe('"Calculator" has no model input.');
  });

  it("means nothing on the card that it comes from", () => {
    const { scene, wire, model } = agentWithModel();
    expect(dropOnNode(scene(), wire, model)).toBeUndefined();
  });
});

describe("a wire that was pulled off", () => {
  it("is not in its own way", () => {
    const { scene, wire, agent, edge } = agentWithModel();
    const end = { endpoint: { node: agent, port: "model" }, direction: "to" as const };
    expect(refusalReason(scene(), wire, end)).toBeDefined();
    const pulled = { ...scene(), document: withoutEdge(scene().document, edge.id) };
    expect(refusalReason(pulled, wire, end)).toBeUndefined();
  });

  it("is refused with the reason by a port of another kind", () => {
    const { scene, wire, agent } = agentWithModel();
    const end = { endpoint: { node: agent, port: "tools" }, direction: "to" as const };
    expect(refusalReason(scene(), wire, end)).toMatch(/model.*tool|tool.*model/i);
  });
});
