import { describe, expect, it } from "vitest";
import { addTools, agentForTools } from "./add-tools.ts";
import { testEditor } from "./testing-editor.ts";

const starts = ["Find", "Make"].map((title) => ({
  title,
  config: { toolName: title.toLowerCase(), url: `https://api.example.com/${title}` },
}));

describe("tools of an API", () => {
  it("are wired to the only agent, wait for a review, stand apart, and are one step back", () => {
    const { context, add, workflow, wires, document } = testEditor();
    const agent = add({ type: "ai-agent" });
    const ids = addTools(context, "http-request-tool", starts);
    expect(wires()).toEqual(ids.map((id) => `${id}.tool → ${agent}.tools`));
    const added = ids.map((id) => workflow().nodes[id]);
    expect(added.map((node) => node?.title)).toEqual(["Find", "Make"]);
    expect(added.every((node) => node?.unreviewed === true)).toBe(true);
    expect(added[0]?.position).not.toEqual(added[1]?.position);
    document.getState().undo();
    expect(Object.keys(workflow().nodes)).toEqual([agent]);
  });

  it("are for the selected one of several agents, and stand alone where none is", () => {
    const { context, add, canvas, wires } = testEditor();
    const first = add({ type: "ai-agent" });
    canvas.getState().clearSelection();
    add({ type: "ai-agent" });
    canvas.getState().clearSelection();
    expect(agentForTools(context)).toBeUndefined();
    const before = wires().length;
    expect(addTools(context, "http-request-tool", starts)).toHaveLength(2);
    expect(wires()).toHaveLength(before);
    canvas.getState().select([first]);
    expect(agentForTools(context)?.id).toBe(first);
  });

  it("adds nothing of an unknown type, and leaves no step behind", () => {
    const { context, document } = testEditor();
    expect(addTools(context, "nothing", starts)).toEqual([]);
    expect(addTools(context, "http-request-tool", [])).toEqual([]);
    expect(document.getState().past).toEqual([]);
  });
});
