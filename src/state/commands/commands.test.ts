import { describe, expect, it, vi } from "vitest";
import { addImported } from "./add-imported.ts";
import { copySelection, cutSelection, paste } from "./clipboard.ts";
import { kindOfClip } from "../editing/node-clip.ts";
import { duplicateSelection, pasteText } from "./paste.ts";
import { connectPorts } from "./connect-ports.ts";
import { deleteSelection } from "./delete-selection.ts";
import { editorCommands } from "./editor-commands.ts";
import { commandForKey, matchesKeys } from "./keymap.ts";
import { moveNodes, nudgeSelection } from "./move-nodes.ts";
import { toggleDisabled } from "./node-commands.ts";
import { replaceAllOfType } from "./replace-node.ts";
import { renameNode, renameWorkflow } from "./rename.ts";
import { setConfigField } from "./set-config.ts";
import { testEditor } from "./testing-editor.ts";

const far = { x: 4_000, y: 4_000 };

describe("adding nodes", () => {
  it("wires one service after the other to the only agent, until a port is full", () => {
    const { add, wires } = testEditor();
    const agent = add({ type: "ai-agent" });
    const model = add({ type: "demo-model" });
    const tool = add({ type: "calculator-tool" });
    const memory = add({ type: "buffer-memory" });
    const fallback = add({ type: "demo-model" });
    add({ type: "buffer-memory" });
    expect(wires()).toEqual([
      `${model}.model → ${agent}.model`,
      `${tool}.tool → ${agent}.tools`,
      `${memory}.memory → ${agent}.memory`,
      `${fallback}.model → ${agent}.fallback`,
    ]);
  });

  it("wires a service to the agent that the selected one serves, and nothing else to it", () => {
    const { add, canvas, wires } = testEditor();
    add({ type: "ai-agent", position: far });
    const agent = add({ type: "ai-agent", position: { x: 0, y: 0 } });
    canvas.getState().select([agent]);
    const model = add({ type: "demo-model" });
    const tool = add({ type: "calculator-tool" });
    add({ type: "if" });
    expect(wires()).toEqual([`${model}.model → ${agent}.model`, `${tool}.tool → ${agent}.tools`]);
  });

  it("wires to the selected node first", () => {
    const { add, canvas, wires } = testEditor();
    const first = add({ type: "ai-agent" });
    canvas.getState().clearSelection();
    const second = add({ type: "ai-agent", position: far });
    canvas.getState().select([first]);
    const tool = add({ type: "calculator-tool" });
    expect(wires()).toEqual([`${tool}.tool → ${first}.tools`]);
    canvas.getState().select([second]);
    add({ type: "set-fields" });
    expect(wires()[1]).toMatch(new RegExp(`^${second}\\.main → `));
  });

  it("puts a dropped node where it was dropped, on the grid and without a wire", () => {
    const { add, workflow, wires } = testEditor();
    add({ type: "ai-agent" });
    const id = add({ type: "demo-model", position: { x: 101, y: 203 } });
    expect(workflow().nodes[id]?.position).toEqual({ x: 104, y: 200 });
    expect(wires()).toEqual([]);
  });

  it("never covers another card, names each node differently, and is one undo step with its wire", () => {
    const { add, canvas, document, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    for (let count = 0; count < 8; count += 1) {
      canvas.getState().select([agent]);
      add({ type: "calculator-tool" });
    }
    const nodes = Object.values(workflow().nodes);
    expect(new Set(nodes.map(({ title }) => title)).size).toBe(9);
    for (const a of nodes) {
      for (const b of nodes) {
        if (a.id === b.id) continue;
        const apart = Math.abs(a.position.x - b.position.x) >= 232 || Math.abs(a.position.y - b.position.y) >= 56;
        expect(apart).toBe(true);
      }
    }
    document.getState().undo();
    expect(Object.keys(workflow().nodes)).toHaveLength(8);
    expect(Object.keys(workflow().edges)).toHaveLength(7);
  });
});

describe("connecting", () => {
  it("refuses in words and changes nothing", () => {
    const { add, context, notices, wires, document } = testEditor();
    const trigger = add({ type: "chat-trigger", position: far });
    const agent = add({ type: "ai-agent", position: { x: 0, y: 0 } });
    const steps = document.getState().past.length;
    expect(connectPorts(context, { node: trigger, port: "main" }, { node: agent, port: "tools" })).toBeUndefined();
    expect(notices[0]?.hint).toMatch(/main flow/);
    expect(wires()).toEqual([]);
    expect(document.getState().past).toHaveLength(steps);
  });
});

describe("editing the selection", () => {
  it("deletes nodes with their edges, and brings both back", () => {
    const { add, canvas, context, document, workflow, wires } = testEditor();
    const agent = add({ type: "ai-agent" });
    add({ type: "demo-model" });
    canvas.getState().select([agent]);
    deleteSelection(context);
    expect(wires()).toEqual([]);
    expect(workflow().nodes[agent]).toBeUndefined();
    expect(canvas.getState().selection.nodes).toEqual({});
    document.getState().undo();
    expect(wires()).toHaveLength(1);
  });

  it("moves as one step a drag, and one step a series of key presses", () => {
    const { add, canvas, context, document, workflow } = testEditor();
    const id = add({ type: "ai-agent", position: { x: 0, y: 0 } });
    moveNodes(context, { [id]: { x: 99, y: 50 } });
    expect(workflow().nodes[id]?.position).toEqual({ x: 96, y: 48 });
    const steps = document.getState().past.length;
    canvas.getState().select([id]);
    for (let press = 0; press < 5; press += 1) nudgeSelection(context, { x: 1, y: 0 });
    expect(workflow().nodes[id]?.position).toEqual({ x: 136, y: 48 });
    expect(document.getState().past).toHaveLength(steps + 1);
  });

  it("turns nodes off and on again", () => {
    const { add, canvas, context, workflow } = testEditor();
    const [one, two] = [add({ type: "ai-agent" }), add({ type: "if", position: far })];
    canvas.getState().select([one, two]);
    toggleDisabled(context);
    expect(Object.values(workflow().nodes).every(({ disabled }) => disabled === true)).toBe(true);
    toggleDisabled(context);
    expect(Object.values(workflow().nodes).every(({ disabled }) => disabled === undefined)).toBe(true);
  });

  it("renames, and takes the templates along that name the node", () => {
    const { add, context, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    renameNode(context, agent, "Weather bot");
    const fields = add({ type: "set-fields", position: far });
    const text = `{{nodes.weather_bot.response}} {{ weather_bot.response + "weather_bot" }} weather_bot {{json.weather_bot}}`;
    setConfigField(context, fields, { name: "note", label: "Note" }, text);
    renameNode(context, agent, "Helper");
    expect(workflow().nodes[fields]?.config["note"]).toBe(
      `{{nodes.helper.response}} {{ helper.response + "weather_bot" }} weather_bot {{json.weather_bot}}`,
    );
    renameNode(context, agent, "   ");
    expect(workflow().nodes[agent]?.title).toBe("Helper");
    renameWorkflow(context, "  New name ");
    expect(workflow().name).toBe("New name");
  });

  it("makes one undo step of typing into one field, and another of the next field", () => {
    const { add, context, document, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    const steps = document.getState().past.length;
    const type = (name: string, text: string) => setConfigField(context, agent, { name, label: name }, text);
    for (const text of ["B", "Be", "Be brief"]) type("systemPrompt", text);
    for (const text of ["{", "{{json}}"]) type("userMessage", text);
    expect(document.getState().past).toHaveLength(steps + 2);
    document.getState().undo();
    expect(workflow().nodes[agent]?.config["systemPrompt"]).toBe("Be brief");
    document.getState().undo();
    expect(workflow().nodes[agent]?.config["systemPrompt"]).toBe("You are a helpful AI assistant.");
  });
});

describe("the clipboard", () => {
  it("carries nodes and the edges among them into another workflow; a credential stays an id", () => {
    const from = testEditor();
    const agent = from.add({ type: "ai-agent" });
    const model = from.add({ type: "openai-model" });
    setConfigField(from.context, model, { name: "credential", label: "Credential" }, "cred-1");
    from.canvas.getState().select([agent, model]);
    const text = copySelection(from.context) ?? "";
    expect(text).toContain('"credential": "cred-1"');
    const to = testEditor();
    to.add({ type: "ai-agent" });
    expect(pasteText(to.context, text)).toBe(true);
    expect(Object.values(to.workflow().nodes).map(({ title }) => title)).toEqual(["AI agent", "AI agent 2", "OpenAI"]);
    expect(to.wires()).toHaveLength(1);
    expect(Object.keys(to.canvas.getState().selection.nodes)).toHaveLength(2);
  });

  it("pastes the same nodes twice as different nodes", () => {
    const { add, canvas, context, workflow } = testEditor();
    canvas.getState().select([add({ type: "ai-agent" })]);
    const text = cutSelection(context) ?? "";
    expect(Object.keys(workflow().nodes)).toHaveLength(0);
    pasteText(context, text);
    pasteText(context, text);
    expect(new Set(Object.values(workflow().nodes).map(({ title }) => title)).size).toBe(2);
  });

  it("leaves other text alone and takes a whole exported workflow", () => {
    const { context, workflow, add } = testEditor();
    expect(pasteText(context, "Hello")).toBe(false);
    expect(pasteText(context, "[1, 2]")).toBe(false);
    add({ type: "ai-agent" });
    expect(pasteText(context, JSON.stringify(workflow()))).toBe(true);
    expect(Object.keys(workflow().nodes)).toHaveLength(2);
  });

  it("inserts copied nodes by the command and says what has none", () => {
    const { add, canvas, context, notices, workflow } = testEditor();
    canvas.getState().select([add({ type: "ai-agent" })]);
    const text = copySelection(context) ?? "";
    paste(context, text);
    expect(Object.keys(workflow().nodes)).toHaveLength(2);
    paste(context, "Hello");
    expect(notices).toMatchObject([{ message: "The clipboard contains no nodes." }]);
  });

  it("tells copied nodes from a workflow and from other text", () => {
    const { add, canvas, context, workflow } = testEditor();
    canvas.getState().select([add({ type: "ai-agent" })]);
    expect(kindOfClip(copySelection(context) ?? "")).toBe("nodes");
    expect(kindOfClip(JSON.stringify(workflow()))).toBe("workflow");
    for (const text of ["openapi: 3.1.0", "[1, 2]", '{ "name": "A" }', "{ not json"])
      expect(kindOfClip(text)).toBe("workflow");
    expect([kindOfClip(" "), kindOfClip("Hello")]).toEqual([null, "words"]);
  });

  it("S31 refuses keys that reach prototypes, in words", () => {
    const { context, notices, workflow } = testEditor();
    const node = `{"id":"a","type":"ai-agent","title":"A","position":{"x":0,"y":0},"config":{"__proto__":{"polluted":1}}}`;
    expect(pasteText(context, `{"kind":"switchyard-nodes","nodes":[${node}],"edges":[]}`)).toBe(true);
    expect(notices[0]?.tone).toBe("error");
    expect(workflow().nodes).toEqual({});
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("S33 makes pasted nodes that reach out wait for review, unless they were copied in this browser", () => {
    const from = testEditor();
    from.canvas.getState().select([from.add({ type: "http-request" }), from.add({ type: "if", position: far })]);
    const text = copySelection(from.context) ?? "";
    const pasted = () => {
      const to = testEditor();
      pasteText(to.context, text);
      return Object.fromEntries(Object.values(to.workflow().nodes).map(({ type, unreviewed }) => [type, unreviewed]));
    };
    expect(pasted()).toEqual({ "http-request": true, if: undefined });
    const kept = { getItem: () => text };
    vi.stubGlobal("localStorage", kept);
    expect(pasted()).toEqual({ "http-request": undefined, if: undefined });
    vi.unstubAllGlobals();
  });

  it("S67 drops pasted approvals of a server's tools, unless they were copied in this browser", () => {
    const from = testEditor();
    const server = from.add({ type: "mcp-tool" });
    from.document.getState().commit("Approve", (draft) => {
      const node = draft.nodes[server];
      if (node) node.config["pins"] = { send: "{}" };
    });
    from.canvas.getState().select([server]);
    const text = copySelection(from.context) ?? "";
    const pastedPins = () => {
      const to = testEditor();
      pasteText(to.context, text);
      return Object.values(to.workflow().nodes).map(({ config }) => config["pins"]);
    };
    expect(pastedPins()).toEqual([undefined]);
    vi.stubGlobal("localStorage", { getItem: () => text });
    expect(pastedPins()).toEqual([{ send: "{}" }]);
    vi.unstubAllGlobals();
  });

  it("adds an imported workflow under what is there, with its variables, as one undo step", () => {
    const { add, context, document, workflow } = testEditor();
    const first = add({ type: "ai-agent" });
    document.getState().commit("Set", (draft) => void (draft.vars = { kept: 1 }));
    const other = testEditor();
    const agent = other.add({ type: "ai-agent" });
    const imported = { ...other.workflow(), vars: { kept: 2, fresh: 3 } };
    const before = workflow();
    expect(addImported(context, imported)).toEqual({ nodes: 1, vars: ["kept"] });
    const added = Object.values(workflow().nodes).find(({ id }) => id !== first);
    expect(added?.id).not.toBe(agent);
    expect(added?.position.y).toBeGreaterThan(workflow().nodes[first]?.position.y ?? Infinity);
    expect(workflow().vars).toEqual({ kept: 1, fresh: 3 });
    document.getState().undo();
    expect(workflow()).toEqual(before);
  });

  it("duplicates with the edges among the copies", () => {
    const { add, canvas, context, wires } = testEditor();
    const agent = add({ type: "ai-agent" });
    const model = add({ type: "demo-model" });
    canvas.getState().select([agent, model]);
    duplicateSelection(context);
    expect(wires()).toHaveLength(2);
    expect(canvas.getState().selection.nodes[agent]).toBeUndefined();
  });
});

describe("keys", () => {
  const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", true>> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...held,
  });

  it("match with the right modifiers only", () => {
    expect(matchesKeys(press("z", { ctrlKey: true }), "mod+z")).toBe(true);
    expect(matchesKeys(press("z", { metaKey: true }), "mod+z")).toBe(true);
    expect(matchesKeys(press("Z", { ctrlKey: true, shiftKey: true }), "mod+z")).toBe(false);
    expect(matchesKeys(press("Z", { ctrlKey: true, shiftKey: true }), "mod+shift+z")).toBe(true);
    expect(matchesKeys(press("z"), "mod+z")).toBe(false);
    expect(matchesKeys(press("?", { shiftKey: true }), "?")).toBe(true);
    expect(matchesKeys({ ...press("!", { shiftKey: true }), code: "Digit1" }, "shift+1")).toBe(true);
  });

  it("find only what can be done now, and no two commands share one", () => {
    const { context, add } = testEditor();
    expect(commandForKey(editorCommands, context, press("Delete"))).toBeUndefined();
    add({ type: "ai-agent" });
    expect(commandForKey(editorCommands, context, press("Delete"))?.id).toBe("delete");
    const all = editorCommands.flatMap(({ keys }) => keys ?? []);
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(editorCommands.map(({ id }) => id)).size).toBe(editorCommands.length);
  });
});

describe("replacing every node of a type", () => {
  it("keeps wires and own titles, sets what is given, and is one undo step", () => {
    const { context, add, workflow, wires, document } = testEditor();
    const first = add({ type: "ai-agent" });
    const one = add({ type: "demo-model" });
    renameNode(context, one, "Brain");
    const second = add({ type: "ai-agent", position: far });
    const two = add({ type: "demo-model", position: { x: 4_000, y: 4_200 } });
    connectPorts(context, { node: two, port: "model" }, { node: second, port: "model" });
    const before = workflow();
    const config = { credential: "c1", model: "gpt-5.4" };
    expect(replaceAllOfType(context, { from: "demo-model", to: "openai-model", config })).toBe(2);
    const { nodes } = workflow();
    expect(nodes[one]).toMatchObject({ type: "openai-model", title: "Brain", config });
    expect(nodes[two]).toMatchObject({ type: "openai-model", title: "OpenAI", config });
    expect(wires()).toEqual(
      expect.arrayContaining([`${one}.model → ${first}.model`, `${two}.model → ${second}.model`]),
    );
    document.getState().undo();
    expect(workflow()).toEqual(before);
    expect(replaceAllOfType(context, { from: "gemini-model", to: "openai-model", config })).toBe(0);
  });
});
