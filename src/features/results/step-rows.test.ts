import { describe, expect, it } from "vitest";
import {
  emptyRunState,
  type ModelStep,
  type NodeRunState,
  type NoteStep,
  type RunState,
  type RunStep,
  type ToolStep,
} from "../../engine/run/run-state.ts";
import { modelRequest, modelResponse } from "../../engine/testing/run-events.ts";
import { modelTotals } from "./model-totals.ts";
import { addSpending, noSpending, spendingWords } from "./spending.ts";
import { stepRows, type StepRow } from "./step-rows.ts";
import { timeTicks, waterfallBars } from "./waterfall-bars.ts";

const runId = "run";

function model(
  id: string,
  iteration: number,
  change: Partial<ModelStep> & { costUsd?: number | null } = {},
): ModelStep {
  const { costUsd = 0.5, ...rest } = change;
  const envelope = { runId, seq: 0, at: rest.startedAt ?? 0 };
  const call = { nodeId: rest.nodeId ?? "agent", callId: id, iteration };
  const usage = { inputTokens: 10, outputTokens: 5 };
  return {
    kind: "model",
    id,
    nodeId: "agent",
    startedAt: 0,
    round: 1,
    text: "",
    reasoning: "",
    request: { ...envelope, ...modelRequest({ ...call, provider: "demo", model: "demo-1" }) },
    response: { ...envelope, ...modelResponse("", { ...call, usage, costUsd, durationMs: 40 }) },
    ...rest,
  };
}

function tool(id: string, iteration: number, change: Partial<ToolStep> = {}): ToolStep {
  const call = { nodeId: change.nodeId ?? "agent", toolNodeId: "t", edgeId: "e", callId: id, toolName: "calculator" };
  return {
    kind: "tool",
    id,
    nodeId: "agent",
    startedAt: 0,
    iteration,
    round: 1,
    start: { runId, seq: 0, at: 0, type: "tool-call-start", ...call, input: {} },
    ...change,
  };
}

function memoryLoad(startedAt: number, durationMs: number): NoteStep {
  const use = { nodeId: "agent", memoryNodeId: "memory", edgeId: "e", session: "s" };
  const event = { runId, seq: 1, at: startedAt, type: "memory-load", messages: 2, durationMs, ...use } as const;
  return { kind: "note", id: "load", nodeId: "agent", startedAt, event };
}

const runOf = (steps: RunStep[]) => ({ ...emptyRunState(runId), startedAt: 0, steps });

function rowName(row: StepRow): string {
  if (row.kind === "iteration") return `#${row.iteration}`;
  return row.kind === "round" ? `round ${row.round}` : row.id;
}

const shape = (steps: RunStep[], nodes: RunState["nodes"] = {}) =>
  stepRows({ ...runOf(steps), nodes }).map((row) => `${"  ".repeat(row.depth)}${rowName(row)}`);

describe("stepRows", () => {
  it("puts the calls of one iteration under a line of their own", () => {
    expect(shape([memoryLoad(5, 5), model("m1", 1), tool("t1", 1), model("m2", 2)])).toEqual([
      "run",
      "load",
      "#1",
      "  m1",
      "  t1",
      "#2",
      "  m2",
    ]);
  });

  it("puts steps below their node, nodes in the order of their start, and says failures and skips once", () => {
    const node = (change: Partial<NodeRunState>): NodeRunState => ({
      status: "done",
      active: 0,
      text: "",
      uses: 0,
      input: {},
      ...change,
    });
    const nodes = {
      last: node({ startedAt: 9 }),
      agent: node({ startedAt: 2 }),
      trigger: node({ startedAt: 1 }),
      model: node({ startedAt: 3, input: undefined }),
      other: node({ status: "skipped", input: undefined }),
      "flow/inner": node({ startedAt: 4 }),
    };
    const skip: NoteStep = {
      kind: "note",
      id: "skip",
      nodeId: "other",
      startedAt: 5,
      event: { runId, seq: 3, at: 5, type: "node-skip", nodeId: "other", reason: "not taken" },
    };
    expect(shape([memoryLoad(5, 5), model("m1", 1), skip], nodes)).toEqual([
      "run",
      "node trigger",
      "node agent",
      "  load",
      "  #1",
      "    m1",
      "node last",
      "node other",
    ]);
  });

  it("shows what happened inside a tool call below it", () => {
    const inner = { nodeId: "inner", parentCallId: "t1" };
    expect(shape([model("m1", 1), tool("t1", 1), model("i1", 1, inner), tool("i2", 1, inner), model("m2", 2)])).toEqual(
      ["run", "#1", "  m1", "  t1", "    #1", "      i1", "      i2", "#2", "  m2"],
    );
  });

  it("puts iterations under their round where an agent has several, with what each took", () => {
    const steps = [model("m1", 1), tool("t1", 1), model("m2", 1, { round: 2 }), model("m3", 2, { round: 2 })];
    expect(shape(steps)).toEqual([
      "run",
      "round 1",
      "  #1",
      "    m1",
      "    t1",
      "round 2",
      "  #1",
      "    m2",
      "  #2",
      "    m3",
    ]);
    const spent = stepRows(runOf(steps)).map((row) => ("spent" in row ? row.spent.tokens : null));
    expect(spent).toEqual([null, 15, 15, null, null, 30, 15, null, 15, null]);
  });

  it("shows a tool's node only by its calls, and an agent that is a tool as well as both", () => {
    const node: NodeRunState = { status: "done", active: 0, text: "", uses: 1, input: {} };
    const nodes = { agent: { ...node, startedAt: 1 }, t: { ...node, startedAt: 2 } };
    expect(shape([model("m1", 1), tool("t1", 1)], nodes)).toEqual(["run", "node agent", "  #1", "    m1", "    t1"]);
    const inner = model("i1", 1, { nodeId: "t", parentCallId: "t1" });
    const nested = tool("t2", 1, { nodeId: "t", parentCallId: "t1" });
    nested.start.toolNodeId = "deep";
    const deep = { ...nodes, deep: { ...node, startedAt: 3 } };
    expect(shape([tool("t1", 1), inner, nested], deep)).toEqual([
      "run",
      "node agent",
      "  #1",
      "    t1",
      "      #1",
      "        i1",
      "        t2",
    ]);
    const own = model("own", 1, { nodeId: "t" });
    expect(shape([tool("t1", 1), own], nodes)).toEqual([
      "run",
      "node agent",
      "  #1",
      "    t1",
      "node t",
      "  #1",
      "    own",
    ]);
  });

  it("keeps parallel agents and items apart", () => {
    const steps = [model("a1", 1, { nodeId: "a" }), model("b1", 1, { nodeId: "b" }), tool("a2", 1, { nodeId: "a" })];
    expect(shape(steps)).toEqual(["run", "#1", "  a1", "  a2", "#1", "  b1"]);
    expect(shape([model("x", 1, { item: 0 }), model("y", 1, { item: 1 })])).toEqual(["run", "#1", "  x", "#1", "  y"]);
    expect(new Set(stepRows(runOf(steps)).map((row) => row.id)).size).toBe(6);
  });
});

describe("waterfallBars", () => {
  it("places work on one axis and lets what is open grow to the present", () => {
    const run = runOf([memoryLoad(30, 20), model("m1", 1, { startedAt: 30 }), tool("t1", 1, { startedAt: 70 })]);
    const { bars, totalMs } = waterfallBars(run, 200);
    expect(bars.map(({ step, startMs, durationMs, open }) => [step.id, startMs, durationMs, open])).toEqual([
      ["load", 10, 20, false],
      ["m1", 30, 40, false],
      ["t1", 70, 130, true],
    ]);
    expect(totalMs).toBe(200);
  });

  it("has a bar for a node that failed, unless its calls have theirs", () => {
    const error = { code: "model_error", message: "No.", hint: "", retryable: false } as const;
    const failure: NoteStep = {
      kind: "note",
      id: "failure",
      nodeId: "agent",
      startedAt: 70,
      event: { runId, seq: 9, at: 70, type: "node-error", nodeId: "agent", error, handled: false, durationMs: 70 },
    };
    const barsOf = (...steps: RunStep[]) => waterfallBars(runOf(steps), 100).bars.map(({ step }) => step.id);
    expect(barsOf(failure)).toEqual(["failure"]);
    expect(barsOf(model("m1", 1), failure)).toEqual(["m1"]);
  });

  it("knows the gap before the first bar, unless nobody would see it", () => {
    const gap = (startedAt: number) => waterfallBars(runOf([model("m1", 1, { startedAt })]), 1_000).gapMs;
    expect([gap(300), gap(19), gap(0)]).toEqual([300, 0, 0]);
  });

  it("does not let an interrupted run grow", () => {
    const run = { ...runOf([model("m1", 1, { startedAt: 30, response: undefined })]), status: "interrupted" as const };
    expect(waterfallBars(run, 1e9)).toMatchObject({ totalMs: 30, bars: [{ open: false, durationMs: 0 }] });
  });

  it.each([1, 7, 40, 999, 12_345, 600_000])("labels an axis of %i ms with a few round moments", (totalMs) => {
    const ticks = timeTicks(totalMs);
    expect(ticks.length).toBeGreaterThanOrEqual(1);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(Math.max(...ticks)).toBeLessThan(totalMs);
  });
});

describe("modelTotals", () => {
  it("adds up by model; one unknown price makes the sum unknown", () => {
    expect(modelTotals({ steps: [model("m1", 1), tool("t", 1), model("m2", 2)] })).toEqual([
      { model: "demo-1", calls: 2, inputTokens: 20, outputTokens: 10, costUsd: 1 },
    ]);
    expect(modelTotals({ steps: [model("m1", 1, { costUsd: null }), model("m2", 2)] })[0]?.costUsd).toBeNull();
  });

  it("has the models that made vectors as well", () => {
    const embedding: NoteStep = {
      kind: "note",
      id: "note-1",
      startedAt: 0,
      event: {
        type: "embedding",
        runId,
        seq: 1,
        at: 0,
        nodeId: "docs",
        provider: "openai",
        model: "text-embedding-3-small",
        texts: 1,
        usage: { inputTokens: 8, outputTokens: 0 },
        estimated: false,
        costUsd: 0.25,
        durationMs: 5,
      },
    };
    const steps = [model("m1", 1), embedding];
    expect(modelTotals({ steps })[1]).toEqual({
      model: "text-embedding-3-small",
      calls: 1,
      inputTokens: 8,
      outputTokens: 0,
      costUsd: 0.25,
    });
    expect(steps.reduce(addSpending, noSpending)).toEqual({ tokens: 23, costUsd: 0.75 });
  });

  it("has the models that wrote down recordings, with a cost also where no tokens are counted", () => {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const written: NoteStep = {
      kind: "note",
      id: "note-1",
      startedAt: 0,
      event: {
        type: "transcription",
        runId,
        seq: 1,
        at: 0,
        nodeId: "write",
        provider: "openai",
        model: "whisper-1",
        seconds: 90,
        usage,
        costUsd: 0.25,
        durationMs: 5,
      },
    };
    expect(modelTotals({ steps: [written] })).toEqual([{ model: "whisper-1", calls: 1, ...usage, costUsd: 0.25 }]);
    const spent = addSpending(noSpending, written);
    expect(spent).toEqual({ tokens: 0, costUsd: 0.25 });
    expect(spendingWords(spent)).toContain("0.25");
    expect(spendingWords(noSpending)).toBe("");
  });
});
