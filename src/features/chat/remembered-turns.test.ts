import { describe, expect, it } from "vitest";
import { assistantMessage, type Message, type TurnOrigin, userMessage } from "../../engine/model/message.ts";
import { emptyRunState, type ModelStep, type RunState } from "../../engine/run/run-state.ts";
import type { ConversationRun } from "../../services/run-history.ts";
import { textsOf } from "./answer-speeches.ts";
import { partsOfRun } from "./chat-parts.ts";
import { type PastEntry, pastEntries } from "./remembered-turns.ts";

const writer = (runId: string): TurnOrigin => ({ runId, nodeId: "writer", title: "Writer" });
const editor = (runId: string): TurnOrigin => ({ runId, nodeId: "editor", title: "Editor" });
const asked = (text: string, origin: TurnOrigin): Message => ({ ...userMessage(text), origin });

function ended(id: string, change: Partial<ConversationRun> = {}): ConversationRun {
  const startedAt = `2026-01-01T00:00:0${id.length}Z`;
  return {
    id,
    status: "completed",
    startedAt,
    question: null,
    output: null,
    error: null,
    isRemembered: true,
    ...change,
  };
}

/** "You: …", "Writer (draft): …" and so on. */
function lines(entries: readonly PastEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.role === "user") return [`You: ${entry.message.text}`];
    return entry.parts.map((part) => {
      if (part.kind === "agent")
        return `${part.title}${part.isDraft ? " (draft)" : ""}: ${textsOf(part.parts).join("|")}`;
      if (part.kind === "text") return part.text;
      if (part.kind === "error") return `error: ${part.error.message}`;
      return part.kind === "past-ending" ? part.finish : part.kind;
    });
  });
}

const twoAgents = [
  asked("A poem", writer("r")),
  assistantMessage("Roses"),
  asked("Improve: Roses", editor("r")),
  assistantMessage("Red roses"),
];

describe("a remembered turn", () => {
  it("of two agents is one question, drafts, and the run's own answer last", () => {
    expect(lines(pastEntries(twoAgents))).toEqual(["You: A poem", "Writer (draft): Roses", "Editor: Red roses"]);
    const first = ended("r", { output: { response: "Roses" } });
    expect(lines(pastEntries(twoAgents, [first])).slice(1)).toEqual(["Editor (draft): Red roses", "Writer: Roses"]);
    const joined = ended("r", { output: "Roses, red roses", question: "A poem, please" });
    expect(lines(pastEntries(twoAgents, [joined]))).toEqual([
      "You: A poem, please",
      "Writer (draft): Roses",
      "Editor (draft): Red roses",
      "Roses, red roses",
    ]);
  });

  it("of one agent has no name, and two runs are two questions", () => {
    const messages = [
      asked("One", writer("r")),
      assistantMessage("1"),
      asked("Two", writer("s")),
      assistantMessage("2"),
    ];
    expect(lines(pastEntries(messages))).toEqual(["You: One", "1", "You: Two", "2"]);
  });

  it("keeps the place of its question among all that are remembered", () => {
    const entries = pastEntries([...twoAgents, asked("Next", writer("s"))]);
    expect(entries.flatMap((entry) => (entry.role === "user" ? [entry.question] : []))).toEqual([0, 2]);
  });

  it("that was stopped or failed says so once, wherever the failure was", () => {
    const failure = { message: "No key.", hint: "Add one." };
    const messages: Message[] = [
      asked("One", writer("r")),
      { ...assistantMessage("Half"), incomplete: "cancelled" },
      asked("Two", writer("s")),
      { role: "assistant", parts: [], incomplete: "error", failure },
      asked("Three", writer("t")),
      assistantMessage("3"),
    ];
    const error = { code: "internal", ...failure, retryable: false } as const;
    const later = { ...error, message: "The next step failed." };
    const runs = [
      ended("r", { status: "cancelled" }),
      ended("s", { status: "failed", error }),
      ended("t", { status: "failed", error: later }),
    ];
    const expected = ["You: One", "Half", "cancelled", "You: Two", "error: No key.", "You: Three", "3"];
    expect(lines(pastEntries(messages))).toEqual(expected);
    expect(lines(pastEntries(messages, runs))).toEqual([...expected, "error: The next step failed."]);
  });
});

describe("a run that nothing was remembered of", () => {
  const error = { code: "invalid_config", message: "No such field.", hint: "Mend it.", retryable: false } as const;
  const failed = (id: string, question: string) =>
    ended(id, { status: "failed", question, error, isRemembered: false });

  it("stands in its place by time when it failed, and can be asked again", () => {
    const messages = [asked("Two", writer("rr")), assistantMessage("2")];
    const entries = pastEntries(messages, [failed("r", "One"), ended("rr"), failed("rrr", "Three")]);
    expect(lines(entries)).toEqual([
      "You: One",
      "error: No such field.",
      "You: Two",
      "2",
      "You: Three",
      "error: No such field.",
    ]);
    expect(entries.flatMap((entry) => (entry.role === "user" ? [entry.question] : []))).toEqual([null, 0, null]);
  });

  it("is left out when its question was asked again, and when its turn was forgotten", () => {
    const messages = [asked("One", writer("rr")), assistantMessage("1")];
    expect(lines(pastEntries(messages, [failed("r", "One"), ended("rr", { question: "One" })]))).toEqual([
      "You: One",
      "1",
    ]);
    expect(pastEntries([], [ended("r", { status: "cancelled", question: "One" }), ended("rr")])).toEqual([]);
  });
});

describe("an answer of two agents in this tab", () => {
  const said = (nodeId: string, text: string): ModelStep => {
    const place = { runId: "r", seq: 1, at: 0, nodeId, callId: nodeId };
    const request: ModelStep["request"] = {
      ...place,
      type: "model-request",
      modelNodeId: "m",
      edgeId: "e",
      iteration: 1,
      purpose: "answer",
      provider: "p",
      model: "m",
      settings: {},
      messages: [],
      fromMemory: 0,
      tools: [],
      toolChoice: "auto",
    };
    return { kind: "model", id: nodeId, nodeId, startedAt: 0, round: 1, request, text, reasoning: "" };
  };
  const run = (change: Partial<RunState>): RunState => ({
    ...emptyRunState("r"),
    steps: [said("writer", "Roses"), said("editor", "Red roses")],
    ...change,
  });
  const shown = (state: RunState) =>
    partsOfRun(state).map((part) => (part.kind === "agent" ? [part.nodeId, part.isDraft] : part.kind));

  it("is two named bubbles while it runs, then a draft and the answer", () => {
    expect(shown(run({ status: "running" }))).toEqual([
      ["writer", false],
      ["editor", false],
    ]);
    expect(shown(run({ status: "completed", output: { response: "Red roses" } }))).toEqual([
      ["writer", true],
      ["editor", false],
    ]);
    expect(shown(run({ status: "cancelled" }))).toEqual([
      ["writer", true],
      ["editor", false],
    ]);
  });
});
