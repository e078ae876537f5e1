import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../engine/run/events.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { sampleDocument, sampleRegistry } from "../../engine/testing/sample-nodes.ts";
import { createBreakpointStore } from "../../state/run/breakpoint-store.ts";
import type { CommandContext } from "../../state/commands/command.ts";
import { createCanvasStore } from "../../state/editor/canvas-store.ts";
import { createDocumentStore } from "../../state/document/document-store.ts";
import { createPauseStore } from "../../state/run/pause-store.ts";
import { createRunStore } from "../../state/run/run-store.ts";
import { breakpointCommands } from "./breakpoint-commands.ts";
import { expectNodes } from "./expect-nodes.ts";
import { inputChoices } from "./input-choices.ts";

const document = sampleDocument({ start: "start", a: "step", agent: "agent", model: "test-model", other: "step" }, [
  "start>a",
  "a>agent",
  "model.model>agent.model",
]);

const withoutStorage = () => {
  throw new Error("No storage.");
};

describe("expectNodes", () => {
  it("lets what a run may come to wait, services too, and leaves what has begun", () => {
    const runs = createRunStore(() => {});
    runs.getState().begin("r", {});
    runs.getState().apply([{ runId: "r", seq: 0, at: 0, type: "node-start", nodeId: "a", input: 1 }]);
    runs.getState().flush();
    expectNodes(runs, "r", { document, registry: sampleRegistry, extent: { input: {} } });
    const nodes = runs.getState().runs["r"]?.nodes ?? {};
    expect(Object.entries(nodes).map(([id, { status }]) => `${id} ${status}`)).toEqual([
      "start waiting",
      "a running",
      "agent waiting",
      "model waiting",
    ]);
    expectNodes(runs, "unknown", { document, registry: sampleRegistry, extent: { input: {} } });
    expect(Object.keys(runs.getState().runs)).toEqual(["r"]);
  });
});

describe("inputChoices", () => {
  it("offers what the run on show gave, what is pinned before, and always a typed value", () => {
    expect(inputChoices(document, sampleRegistry, "agent", undefined)).toEqual([{ source: "typed", input: {} }]);
    const runs = createRunStore(() => {});
    const events: RunEvent[] = [
      { runId: "r", seq: 0, at: 0, type: "node-start", nodeId: "agent", input: { n: 1 } },
      { runId: "r", seq: 1, at: 1, type: "node-end", nodeId: "agent", output: 2, ports: ["main"], durationMs: 1 },
    ];
    runs.getState().open(reduceRunAll(emptyRunState("r"), events), events);
    const node = document.nodes["a"];
    const nodes = node ? { ...document.nodes, a: { ...node, pin: { output: { n: 9 } } } } : document.nodes;
    const choices = inputChoices({ ...document, nodes }, sampleRegistry, "agent", runs.getState().runs["r"]);
    expect(choices).toEqual([
      { source: "previous", input: { n: 1 } },
      { source: "pinned", input: { n: 9 } },
      { source: "typed", input: { n: 1 } },
    ]);
  });
});

describe("breakpointCommands", () => {
  const breakpoints = createBreakpointStore("w", withoutStorage);
  const pauses = createPauseStore();
  const canvas = createCanvasStore();
  const context: CommandContext = {
    document: createDocumentStore(document, 1),
    canvas,
    registry: sampleRegistry,
    newId: () => "id",
    notify: () => {},
  };
  const command = (id: string) => {
    const found = breakpointCommands(breakpoints, pauses).find((one) => one.id === id);
    if (found === undefined) throw new Error(`There is no command ${id}.`);
    return found;
  };

  it("sets breakpoints on all selected nodes, and removes them when all have one", () => {
    expect(command("toggle-breakpoint").when(context)).toBe(false);
    canvas.getState().select(["a"]);
    void command("toggle-breakpoint").run(context);
    canvas.getState().select(["a", "agent"]);
    void command("toggle-breakpoint").run(context);
    expect(breakpoints.getState().nodes).toEqual(["a", "agent"]);
    void command("toggle-breakpoint").run(context);
    expect(breakpoints.getState().nodes).toEqual([]);
  });

  it("goes on with what was held first", async () => {
    expect(command("run.step").when(context)).toBe(false);
    const pause = pauses.pauserFor("r");
    const place = { kind: "node", input: 1 } as const;
    const signal = new AbortController().signal;
    const first = pause({ ...place, pauseId: "p1", nodeId: "a", atNodeId: "a" }, signal);
    const second = pause({ ...place, pauseId: "p2", nodeId: "agent", atNodeId: "agent" }, signal);
    void command("run.step").run(context);
    void command("run.continue").run(context);
    expect(await Promise.all([first, second])).toEqual([{ action: "step" }, { action: "continue" }]);
  });
});
