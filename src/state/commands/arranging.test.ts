import { describe, expect, it } from "vitest";
import { nodeBox } from "../editing/node-box.ts";
import { commandById, editorCommands } from "./editor-commands.ts";
import { toggleFold } from "./group-commands.ts";
import { groupSelection, ungroup } from "./group-nodes.ts";
import { insertExisting } from "./insert-existing.ts";
import { insertNewNode } from "./insert-node.ts";
import { moveNodes, nudgeSelection } from "./move-nodes.ts";
import { toggleBypass, toggleDisabled } from "./node-commands.ts";
import { reconnect } from "./reconnect.ts";
import { replaceNode } from "./replace-node.ts";
import { resizeNode } from "./resize-node.ts";
import { testEditor } from "./testing-editor.ts";
import { copySelection } from "./clipboard.ts";
import { pasteText } from "./paste.ts";
import { deleteSelection } from "./delete-selection.ts";
import { hiddenNodes } from "../editing/group-members.ts";

const at = (x: number, y: number) => ({ x, y });

/** A trigger wired to an agent with a model and a tool, each where it can be told from the others. */
function agentEditor() {
  const editor = testEditor();
  const trigger = editor.add({ type: "chat-trigger", position: at(0, 0) });
  const agent = editor.add({ type: "ai-agent", position: at(320, 0) });
  const wire = (from: string, to: string, input: string) =>
    editor.add({ type: from, position: at(0, 400), wire: { endpoint: { node: to, port: input }, direction: "to" } });
  const model = wire("demo-model", agent, "model");
  const tool = wire("calculator-tool", agent, "tools");
  editor.document.getState().commit("Connect", (document) => {
    document.edges["main"] = {
      id: "main",
      from: { node: trigger, port: "main" },
      to: { node: agent, port: "main" },
    };
  });
  editor.document.getState().mark();
  const run = (id: string) => commandById(editorCommands, id)?.run(editor.context);
  const position = (id: string) => editor.workflow().nodes[id]?.position;
  return { ...editor, trigger, agent, model, tool, run, position };
}

describe("inserting on an edge", () => {
  it("puts a new node between its ends and makes room, as one step", () => {
    const { agent, context, document, position, tool, trigger, wires, workflow } = agentEditor();
    const before = document.getState().past.length;
    const id = insertNewNode(context, { type: "set-fields", edgeId: "main" });
    expect(wires()).toContain(`${trigger}.main → ${id}.main`);
    expect(wires()).toContain(`${id}.main → ${agent}.main`);
    expect(wires()).not.toContain(`${trigger}.main → ${agent}.main`);
    const [first, second, third] = [trigger, id ?? "", agent].map((node) => position(node)?.x ?? 0);
    expect(second).toBeGreaterThan((first ?? 0) + 232);
    expect(third).toBeGreaterThan((second ?? 0) + 232);
    expect(position(id ?? "")?.y).toBe(0);
    expect(position(tool)?.x).toBeGreaterThan(0);
    expect(document.getState().past).toHaveLength(before + 1);
    document.getState().undo();
    expect(workflow().edges["main"]).toBeDefined();
    expect(position(agent)).toEqual(at(320, 0));
  });

  it("takes a node that stands alone, and leaves what does not fit where it is", () => {
    const { add, agent, context, trigger, wires } = agentEditor();
    const loose = add({ type: "set-fields", position: at(2_000, 2_000) });
    const before = wires();
    expect(insertNewNode(context, { type: "window-memory", edgeId: "main" })).toBeUndefined();
    expect(wires()).toEqual(before);
    insertExisting(context, { nodeId: loose, edgeId: "main", position: at(300, 0) });
    expect(wires()).toContain(`${trigger}.main → ${loose}.main`);
    expect(wires()).toContain(`${loose}.main → ${agent}.main`);
  });
});

describe("replacing a node", () => {
  it("keeps edges that fit, settings that both have, and the place", () => {
    const { context, document, model, position, wires, workflow } = agentEditor();
    const [before, place] = [wires(), position(model)];
    const steps = document.getState().past.length;
    replaceNode(context, model, "openai-model");
    expect(workflow().nodes[model]).toMatchObject({ type: "openai-model", title: "OpenAI", position: place });
    expect(wires()).toEqual(before);
    expect(document.getState().past).toHaveLength(steps + 1);
    document.getState().undo();
    expect(workflow().nodes[model]?.type).toBe("demo-model");
  });

  it("drops what does not fit, says so, and changes templates along with the title", () => {
    const { agent, context, notices, trigger, wires, workflow } = agentEditor();
    replaceNode(context, agent, "set-fields");
    expect(wires()).toEqual([`${trigger}.main → ${agent}.main`]);
    expect(notices.at(-1)?.message).toBe("2 connections did not fit.");
    expect(workflow().nodes[agent]?.title).toBe("Set fields");
  });

  it("never hands a credential to a type that takes another kind", () => {
    const { context, document, model, workflow } = agentEditor();
    replaceNode(context, model, "openai-model");
    document.getState().commit("Choose", (draft) => {
      const node = draft.nodes[model];
      if (node) node.config["credential"] = "cred-1";
    });
    replaceNode(context, model, "anthropic-model");
    expect(workflow().nodes[model]?.config["credential"]).toBe("");
  });
});

describe("pulling a wire off", () => {
  it("leads it to another port where that is allowed, as if it had not been there", () => {
    const { add, agent, context, model, notices, wires, workflow } = agentEditor();
    const other = add({ type: "openai-model", position: at(900, 900) });
    const edge = Object.values(workflow().edges).find(({ from }) => from.node === model);
    const to = { node: agent, port: "model" };
    reconnect(context, edge?.id ?? "", { from: { node: other, port: "model" }, to });
    expect(wires()).toContain(`${other}.model → ${agent}.model`);
    expect(wires()).not.toContain(`${model}.model → ${agent}.model`);
    reconnect(context, edge?.id ?? "", { from: { node: other, port: "model" }, to: { node: agent, port: "tools" } });
    expect(notices.at(-1)?.tone).toBe("error");
    expect(wires()).toContain(`${other}.model → ${agent}.model`);
  });

  it("is no step to undo when it is put back where it was", () => {
    const { context, document, workflow } = agentEditor();
    const [edge] = Object.values(workflow().edges);
    const before = document.getState().past.length;
    if (edge) reconnect(context, edge.id, { from: { ...edge.from }, to: { ...edge.to } });
    expect(document.getState().past).toHaveLength(before);
  });
});

describe("groups", () => {
  it("frame what is selected and move it along", () => {
    const { canvas, context, document, model, position, tool } = agentEditor();
    canvas.getState().select([model, tool]);
    const group = groupSelection(context) ?? "";
    const before = { group: position(group), tool: position(tool) };
    const steps = document.getState().past.length;
    moveNodes(context, { [group]: { x: (before.group?.x ?? 0) + 80, y: before.group?.y ?? 0 } });
    expect(position(tool)?.x).toBe((before.tool?.x ?? 0) + 80);
    nudgeSelection(context, { x: 0, y: 1 });
    expect(position(tool)?.y).toBe((before.tool?.y ?? 0) + 8);
    expect(document.getState().past).toHaveLength(steps + 2);
  });

  it("fold into one card that hides its nodes, and open again where it was moved to", () => {
    const { canvas, context, model, position, tool, workflow } = agentEditor();
    canvas.getState().select([model, tool]);
    const group = groupSelection(context) ?? "";
    const before = position(tool);
    toggleFold(context, group);
    expect([...hiddenNodes(workflow().nodes)].toSorted()).toEqual(
      [
        [model, group],
        [tool, group],
      ].toSorted(),
    );
    moveNodes(context, { [group]: { x: 1_600, y: 1_600 } });
    toggleFold(context, group);
    expect(hiddenNodes(workflow().nodes).size).toBe(0);
    expect(position(tool)).not.toEqual(before);
    ungroup(context, group);
    expect(workflow().nodes[group]).toBeUndefined();
    expect(Object.keys(canvas.getState().selection.nodes).toSorted()).toEqual([model, tool].toSorted());
  });

  it("are copied with what is in them, folded ones too, and go with it when folded", () => {
    const { canvas, context, model, tool, workflow, wires } = agentEditor();
    canvas.getState().select([model, tool]);
    const group = groupSelection(context) ?? "";
    toggleFold(context, group);
    const to = testEditor();
    pasteText(to.context, copySelection(context) ?? "");
    const copies = Object.values(to.workflow().nodes);
    expect(copies.map(({ type }) => type).toSorted()).toEqual(["calculator-tool", "demo-model", "group"]);
    expect(hiddenNodes(to.workflow().nodes).size).toBe(2);
    const chosen = Object.keys(to.canvas.getState().selection.nodes);
    expect(chosen.map((id) => to.workflow().nodes[id]?.type)).toEqual(["group"]);
    deleteSelection(context);
    expect([model, tool, group].filter((id) => workflow().nodes[id])).toEqual([]);
    expect(wires()).toHaveLength(1);
  });
});

describe("turning off", () => {
  it("turns off what is in a group, which itself does nothing, and no note", () => {
    const { agent, add, canvas, context, model, tool, workflow } = agentEditor();
    canvas.getState().select([model, tool]);
    const group = groupSelection(context) ?? "";
    const off = () => Object.values(workflow().nodes).flatMap(({ id, disabled }) => (disabled ? [id] : []));
    for (let folds = 0; folds < 2; folds += 1) {
      toggleDisabled(context);
      expect(off().toSorted()).toEqual([model, tool].toSorted());
      toggleDisabled(context);
      expect(off()).toEqual([]);
      toggleFold(context, group);
    }
    canvas.getState().select([agent, add({ type: "sticky-note" })]);
    toggleDisabled(context);
    expect(off()).toEqual([agent]);
  });

  it("tells disabled from bypassed, and back on", () => {
    const { agent, canvas, context, tool, workflow } = agentEditor();
    canvas.getState().select([agent, tool]);
    toggleDisabled(context);
    expect(workflow().nodes[agent]).toMatchObject({ disabled: true, stops: true });
    expect(workflow().nodes[tool]).toMatchObject({ disabled: true });
    expect(workflow().nodes[tool]?.stops).toBeUndefined();
    canvas.getState().select([agent]);
    toggleBypass(context);
    expect(workflow().nodes[agent]).toMatchObject({ disabled: true });
    expect(workflow().nodes[agent]?.stops).toBeUndefined();
    toggleBypass(context);
    expect(workflow().nodes[agent]?.disabled).toBeUndefined();
  });
});

describe("arranging", () => {
  it("leaves what a folded group hides where it stands in the group", async () => {
    const { canvas, context, model, position, run, tool } = agentEditor();
    canvas.getState().select([model, tool]);
    const group = groupSelection(context) ?? "";
    toggleFold(context, group);
    const apart = () => {
      const [one, other] = [position(model), position(tool)];
      return one && other && { x: other.x - one.x, y: other.y - one.y };
    };
    const before = apart();
    await run("select-all");
    expect(Object.keys(canvas.getState().selection.nodes)).not.toContain(tool);
    await run("align-left");
    await run("align-top");
    expect(apart()).toEqual(before);
  });

  it("aligns to either side and to the middle, each as one step", async () => {
    const { agent, canvas, context, document, position, run, tool, trigger, workflow } = agentEditor();
    moveNodes(context, { [trigger]: at(0, 0), [agent]: at(320, 160), [tool]: at(640, 480) });
    canvas.getState().select([trigger, agent, tool]);
    const steps = document.getState().past.length;
    await run("align-right");
    expect([trigger, agent, tool].map((id) => position(id)?.x)).toEqual([640, 640, 640]);
    await run("align-bottom");
    const bottoms = [trigger, agent, tool].map((id) => {
      const node = workflow().nodes[id];
      const box = node && nodeBox(context.registry, node);
      return box && box.y + box.height;
    });
    expect(new Set(bottoms).size).toBe(1);
    expect(document.getState().past).toHaveLength(steps + 2);
  });

  it("distributes with even gaps and leaves the outermost where they are", async () => {
    const { agent, canvas, context, position, run, tool, trigger } = agentEditor();
    moveNodes(context, { [trigger]: at(0, 0), [agent]: at(240, 0), [tool]: at(1_200, 0) });
    canvas.getState().select([trigger, agent, tool]);
    await run("distribute-horizontally");
    expect([trigger, agent, tool].map((id) => position(id)?.x)).toEqual([0, 600, 1_200]);
  });

  it("keeps a size for notes and open groups only", () => {
    const { add, agent, context, workflow } = agentEditor();
    const note = add({ type: "sticky-note", position: at(0, 900) });
    resizeNode(context, note, { x: 0, y: 900, width: 403, height: 197 });
    resizeNode(context, agent, { x: 0, y: 0, width: 999, height: 999 });
    const box = (id: string) => {
      const node = workflow().nodes[id];
      return node && nodeBox(context.registry, node);
    };
    expect(box(note)).toMatchObject({ width: 400, height: 200 });
    expect(box(agent)?.width).toBe(232);
  });
});
