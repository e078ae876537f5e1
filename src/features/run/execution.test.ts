import { afterEach, describe, expect, it } from "vitest";
import { messageText } from "../../engine/model/message.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { sampleDocument, sampleRegistry } from "../../engine/testing/sample-nodes.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { createApprovalStore } from "../../state/run/approval-store.ts";
import { createBreakpointStore } from "../../state/run/breakpoint-store.ts";
import { createDocumentStore } from "../../state/document/document-store.ts";
import { createPauseStore } from "../../state/run/pause-store.ts";
import { createProblemStore } from "../../state/document/problem-store.ts";
import { createRunStore, currentRun } from "../../state/run/run-store.ts";
import { currentToasts, hideToast, takeToastAction } from "../../ui/feedback/toast-store.ts";
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

  it("takes what was mended off the list of what was in the way", async () => {
    const editor = editorOf(sampleDocument({}, []));
    const stop = editor.problems.start();
    await expect.poll(() => editor.problems.checkRun({}), patience).not.toBeNull();
    const execution = createExecution(editor, services(), engine);
    const blocked = () => execution.store.getState().blocked.map(({ message }) => message);
    expect(execution.start(editor, {})).toBeNull();
    expect(blocked()).toHaveLength(1);
    editor.document.getState().commit("Add", ({ nodes }) => {
      Object.assign(nodes, sampleDocument({ start: "start" }, []).nodes);
    });
    await expect.poll(blocked, patience).toEqual([]);
    stop();
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
    let online = false;
    const whenOnline = async () => {
      if (!online) throw new TypeError("Failed to fetch dynamically imported module");
      return engine();
    };
    const outside = services();
    const execution = createExecution(editor, outside, whenOnline);
    // As it is once a message was begun.
    execution.prepare();
    await engine();
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

  it("begins at once where the engine is there, and shows the run right behind that", async () => {
    const editor = editorOf();
    const outside = services();
    const begun: string[] = [];
    const createHost = () => {
      begun.push(String(editor.runs.getState().currentRunId));
      return testHost();
    };
    const execution = createExecution(editor, { ...outside, createHost }, engine);
    execution.start(editor, {});
    await expect.poll(() => execution.store.getState().running, patience).toBe(true);
    await expect.poll(() => execution.store.getState().running, patience).toBe(false);
    const first = editor.runs.getState().currentRunId;
    const second = execution.start(editor, {});
    expect(begun.at(-1)).toBe(first);
    expect(execution.start(editor, {})).toBeNull();
    await expect.poll(() => currentRun(editor.runs.getState())?.runId, patience).toBe(second);
    await expect.poll(() => currentRun(editor.runs.getState())?.status, patience).toBe("completed");
    expect(editor.runs.getState().started).toEqual([first, second]);
  });
});

describe("a run that begins after something else", () => {
  it("is under way meanwhile, so that no other one takes its place, and then runs", async () => {
    const editor = editorOf();
    const outside = services();
    const execution = createExecution(editor, outside, engine);
    let finish = () => {};
    const runId = execution.start(
      editor,
      { n: 1 },
      { startsAfter: () => new Promise((resolve) => (finish = resolve)) },
    );
    expect(execution.store.getState().running).toBe(true);
    expect(execution.start(editor, { n: 2 })).toBeNull();
    await expect.poll(() => String(finish), patience).not.toBe("() => {}");
    expect(outside.stored).toEqual([]);
    finish();
    await expect.poll(() => editor.runs.getState().runs[runId ?? ""]?.status, patience).toBe("completed");
  });

  it("is taken back where that fails, and the next one can be started", async () => {
    const editor = editorOf();
    const outside = services();
    const execution = createExecution(editor, outside, engine);
    execution.start(editor, { n: 1 }, { startsAfter: () => Promise.reject(new Error("The memory is away.")) });
    await expect.poll(() => execution.store.getState().running, patience).toBe(false);
    expect(editor.runs.getState()).toMatchObject({ runs: {}, started: [], currentRunId: null });
    expect(outside.stored).toEqual([]);
    expect(execution.start(editor, { n: 2 })).not.toBeNull();
  });

  it("is not begun where the engine could not be loaded, so that trying again does it once", async () => {
    const editor = editorOf();
    let online = false;
    const execution = createExecution(editor, services(), async () => {
      if (!online) throw new TypeError("Failed to fetch dynamically imported module");
      return engine();
    });
    let begun = 0;
    const startsAfter = async () => void (begun += 1);
    execution.start(editor, {}, { startsAfter });
    await expect.poll(() => currentToasts().length, patience).toBe(1);
    expect(begun).toBe(0);
    online = true;
    takeToastAction("engine-missing");
    await expect.poll(() => currentRun(editor.runs.getState())?.status, patience).toBe("completed");
    expect(begun).toBe(1);
  });
});

/** A chat with a memory whose writes are let through by hand. */
function chatWithSlowMemory() {
  const document = buildWorkflow({
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent"],
      model: ["demo-model", { wordDelayMs: 0 }],
      memory: ["window-memory"],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
  });
  // A virtual clock would take the time for a write to be over while it waits.
  const host = { ...testHost(), sleep: realSleep };
  const waiting: (() => void)[] = [];
  const { append } = host.messages;
  host.messages.append = async (...args) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await append(...args);
  };
  const editor = { ...editorOf(document), registry: nodeRegistry };
  const execution = createExecution(editor, { ...services(), createHost: () => host }, engine);
  const say = (message: string) => execution.start(editor, { message, sessionId: "s" });
  const said = () =>
    host.messages.messagesOf({ workflowId: document.id, sessionId: "s" }).map((message) => messageText(message));
  const saveNext = () => waiting.shift()?.();
  return { editor, execution, waiting, say, said, saveNext };
}

describe("a run whose answer is complete", () => {
  it("lets the next one be asked for, which begins when the turn is stored, with that turn in its memory", async () => {
    const { editor, execution, waiting, say, said, saveNext } = chatWithSlowMemory();
    const first = say("My cat is Tom") ?? "";
    await expect.poll(() => execution.store.getState(), patience).toMatchObject({ running: true, answered: true });
    await expect.poll(() => currentRun(editor.runs.getState())?.nodes["agent"]?.text, patience).not.toBe("");
    const second = say("And my dog is Rex") ?? "";
    expect(second).not.toBe("");
    expect(execution.store.getState()).toMatchObject({ running: true, answered: false });
    expect(say("Too early")).toBeNull();
    expect(editor.runs.getState().runs[second]).toMatchObject({ status: "running", runId: second });
    expect(editor.runs.events(second)).toEqual([]);
    expect(said()).toEqual([]);
    saveNext();
    await expect.poll(() => editor.runs.getState().runs[first]?.status, patience).toBe("completed");
    await expect.poll(() => waiting.length, patience).toBe(1);
    const request = editor.runs.events(second).find((event) => event.type === "model-request");
    expect(request?.messages.map((message) => messageText(message))).toContain("My cat is Tom");
    saveNext();
    await expect.poll(() => execution.store.getState().running, patience).toBe(false);
    expect(said()).toHaveLength(4);
    expect([said()[0], said()[2]]).toEqual(["My cat is Tom", "And my dog is Rex"]);
  });

  it("goes on when the one that waits for it is stopped, which then never begins its work", async () => {
    const { editor, execution, say, said, saveNext } = chatWithSlowMemory();
    const first = say("My cat is Tom") ?? "";
    await expect.poll(() => execution.store.getState().answered, patience).toBe(true);
    const second = say("And my dog is Rex") ?? "";
    execution.stop();
    saveNext();
    await expect.poll(() => editor.runs.getState().runs[second]?.status, patience).toBe("cancelled");
    expect(editor.runs.getState().runs[first]?.status).toBe("completed");
    expect(editor.runs.events(second).some(({ type }) => type === "model-request")).toBe(false);
    expect(said()).toHaveLength(2);
  });
});
