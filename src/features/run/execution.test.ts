import { afterEach, describe, expect, it } from "vitest";
import { sampleDocument, sampleRegistry } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { createApprovalStore } from "../../stores/approval-store.ts";
import { createBreakpointStore } from "../../stores/breakpoint-store.ts";
import { createDocumentStore } from "../../stores/document-store.ts";
import { createPauseStore } from "../../stores/pause-store.ts";
import { createProblemStore } from "../../stores/problem-store.ts";
import { createRunStore, currentRun } from "../../stores/run-store.ts";
import { currentToasts, hideToast, takeToastAction } from "../../ui/toast-store.ts";
import { createExecution } from "./execution.ts";

afterEach(() => {
  for (const { id } of currentToasts()) hideToast(id);
});

function editorOf(document = sampleDocument({ start: "start", a: "step" }, ["start>a"])) {
  const store = createDocumentStore(document, 1);
  return {
    workflowId: document.id,
    registry: sampleRegistry,
    document: store,
    runs: createRunStore((work) => void setTimeout(work)),
    approvals: createApprovalStore(),
    breakpoints: createBreakpointStore("w", () => {
      throw new Error("No storage.");
    }),
    pauses: createPauseStore(),
    problems: createProblemStore(store, sampleRegistry),
  };
}

/** The outside of a run: nothing is refused, and what is stored is counted. */
function services() {
  const stored: string[] = [];
  const runs = {
    start: async () => void stored.push("start"),
    appendEvents: async () => void stored.push("events"),
    finish: async () => void stored.push("finish"),
  };
  return { stored, createHost: () => testHost(), runs };
}

const engine = () => import("./execute-run.ts");

/** Loading the engine takes a test its time. */
const patience = { timeout: 30_000 };

describe("starting a run", () => {
  it("waits for the engine, then runs the workflow as it was when it was started", async () => {
    const editor = editorOf();
    const outside = services();
    let arrive: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const execution = createExecution(editor, outside, () => arrived.then(engine));
    const runId = execution.start(editor, { n: 1 });
    expect(runId).not.toBeNull();
    expect(execution.start(editor, {})).toBeNull();
    expect(currentRun(editor.runs.getState())).toMatchObject({ runId, status: "running", nodes: {} });
    editor.document.getState().commit("Remove", (document) => {
      delete document.nodes["a"];
      document.edges = {};
    });
    arrive?.();
    await expect.poll(() => currentRun(editor.runs.getState())?.status, patience).toBe("completed");
    expect(currentRun(editor.runs.getState())?.nodes["a"]?.status).toBe("done");
    await expect.poll(() => outside.stored.at(-1), patience).toBe("finish");
    expect(execution.store.getState().running).toBe(false);
  });

  it("ends as cancelled when it is stopped while the engine is still on its way", async () => {
    const editor = editorOf();
    const execution = createExecution(editor, services(), engine);
    execution.start(editor, {});
    execution.stop();
    await expect.poll(() => currentRun(editor.runs.getState())?.status, patience).toBe("cancelled");
  });

  it("says that the engine could not be loaded, takes the run back, and runs when the person tries again", async () => {
    const editor = editorOf();
    const outside = services();
    let online = false;
    const execution = createExecution(editor, outside, async () => {
      if (!online) throw new TypeError("Failed to fetch dynamically imported module");
      return engine();
    });
    execution.start(editor, {});
    await expect.poll(() => currentToasts().length, patience).toBe(1);
    expect(currentToasts()[0]).toMatchObject({ tone: "error", action: { label: "Try again" } });
    expect(editor.runs.getState()).toMatchObject({ runs: {}, currentRunId: null });
    await expect.poll(() => execution.store.getState().running, patience).toBe(false);
    expect(outside.stored).toEqual([]);
    online = true;
    takeToastAction("engine-missing");
    await expect.poll(() => currentRun(editor.runs.getState())?.status, patience).toBe("completed");
  });
});
