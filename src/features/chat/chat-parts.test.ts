import { describe, expect, it } from "vitest";
import type { Message } from "../../engine/model/message.ts";
import { assistantMessage, userMessage } from "../../engine/model/message.ts";
import { emptyRunState, type NoteStep, type RunState } from "../../engine/run/run-state.ts";
import { answerText } from "../../doors/answer-text.ts";
import type { ChatPart } from "./chat-part.ts";
import { filesPart, firstShown, partsOfRun } from "./chat-parts.ts";
import { pastEntries } from "./remembered-turns.ts";

const file = {
  $file: "00000000-0000-4000-9000-000000000001",
  name: "a.md",
  mediaType: "text/markdown",
  size: 5,
  sha256: "a".repeat(64),
};

function finished(change: Partial<RunState>): RunState {
  return { ...emptyRunState("run"), status: "completed", ...change };
}

describe("answerText", () => {
  it("is an agent's response, a text, or JSON", () => {
    expect(answerText({ response: "Hello", metadata: {} })).toBe("Hello");
    expect(answerText("Hello")).toBe("Hello");
    expect(answerText({ response: { city: "Oslo" } })).toContain('"city": "Oslo"');
    expect(answerText([1, 2])).toMatch(/^```json\n\[/);
    expect(answerText(null)).toBe("");
  });

  it("is empty for files, which are shown beside it", () => {
    expect(answerText(file)).toBe("");
    expect(answerText({ response: [file] })).toBe("");
    expect(answerText({ file })).toBe("");
    expect(answerText({ statusCode: 200, body: file })).toContain('"body"');
  });
});

describe("files of a run's output", () => {
  const files: ChatPart = { kind: "files", id: "files", files: [file] };

  it("stand under its answer, now and when the conversation is opened again", () => {
    expect(partsOfRun(finished({ output: { body: file } })).at(-1)).toEqual(files);
    const run = {
      id: "r",
      status: "completed",
      startedAt: "",
      question: "Hi",
      output: file,
      error: null,
      isRemembered: true,
    };
    const origin = { runId: "r", nodeId: "a", title: "A" };
    const messages: Message[] = [{ ...userMessage("Hi"), origin, files: [file] }, assistantMessage("Here.")];
    const [question, answer] = pastEntries(messages, [{ ...run, status: "completed" }]);
    expect(question).toMatchObject({ role: "user", message: { files: [file] } });
    expect(answer).toMatchObject({ role: "assistant" });
    expect(answer?.role === "assistant" && answer.parts.at(-1)).toEqual(files);
  });
});

describe("a long answer", () => {
  it("of JSON is cut, with a mark", () => {
    const text = answerText(Array.from({ length: 20_000 }, (_, index) => ({ index })));
    expect(text.length).toBeLessThan(21_000);
    expect(text).toMatch(/\n…\n```$/);
  });

  it("of many pieces shows the last ones, and each that is still under way", () => {
    const start = { runId: "r", seq: 0, at: 0, type: "tool-call-start", input: {}, toolName: "t" } as const;
    const place = { nodeId: "a", toolNodeId: "t", edgeId: "e", callId: "c" };
    const end = { ...start, type: "tool-call-end", ok: true, output: 1, text: "1", size: 1, truncated: false } as const;
    const toolPart = (index: number, ended: boolean): ChatPart => ({
      kind: "tool",
      id: String(index),
      live: true,
      step: {
        kind: "tool",
        id: String(index),
        nodeId: "a",
        startedAt: 0,
        iteration: 1,
        round: 1,
        start: { ...start, ...place },
        ...(ended ? { end: { ...end, ...place, durationMs: 1 } } : {}),
      },
    });
    const done = Array.from({ length: 100 }, (_, index) => toolPart(index, true));
    expect(firstShown(done, 40)).toBe(60);
    expect(firstShown(done.slice(0, 30), 40)).toBe(0);
    expect(firstShown(done.with(10, toolPart(10, false)), 40)).toBe(10);
  });
});

describe("web pages that an answer rests on", () => {
  const sources = [{ url: "https://example.com/sky", title: "The sky" }];

  it("stand under a remembered answer", () => {
    const messages: Message[] = [userMessage("Sky?"), { ...assistantMessage("Blue."), sources }];
    expect(pastEntries(messages)[1]).toMatchObject({
      parts: [
        { kind: "text", text: "Blue." },
        { kind: "sources", sources },
      ],
    });
  });
});

describe("partsOfRun", () => {
  it("shows the output of a workflow without a model", () => {
    expect(partsOfRun(finished({ output: "done" }))).toEqual([
      { kind: "text", id: "output", text: "done", streaming: false },
    ]);
  });

  it("ends with the failure, but a stopped run is no failure", () => {
    const error = { code: "model_error", message: "No.", hint: "Try.", retryable: false } as const;
    expect(partsOfRun(finished({ status: "failed", error }))).toEqual([{ kind: "error", id: "error", error }]);
    expect(partsOfRun(finished({ status: "cancelled", error }))).toEqual([]);
  });
});

describe("a memory that fails", () => {
  const use = { nodeId: "agent", memoryNodeId: "memory", edgeId: "e", session: "s" };
  const error = { code: "memory_error", message: "No answer.", hint: "Wait.", retryable: true } as const;
  const note = (event: NoteStep["event"]): NoteStep => ({ kind: "note", id: String(event.seq), startedAt: 0, event });
  const titles = (change: Partial<RunState>) =>
    partsOfRun(finished(change)).flatMap((part) => (part.kind === "trouble" ? [part.title] : []));
  const failure = (operation: "load" | "save", retryable: boolean) =>
    note({ runId: "r", seq: 1, at: 0, type: "memory-error", ...use, operation, error: { ...error, retryable } });

  it("is said where the answer lacks something, or the turn is lost", () => {
    expect(titles({ steps: [failure("load", true)] })).toEqual([
      "This answer was given without the earlier conversation",
    ]);
    expect(titles({ steps: [failure("save", false)] })).toEqual(["This turn was not saved"]);
    // It waits, and the chat says so until it is saved.
    expect(titles({ steps: [failure("save", true)] })).toEqual([]);
  });

  it("is said while it is tried again, and no longer", () => {
    const place = { runId: "r", seq: 1, at: 0, nodeId: "memory" };
    const retry = note({ ...place, type: "retry", attempt: 1, maxAttempts: 2, delayMs: 1_000, error });
    const saved = note({ runId: "r", seq: 2, at: 0, type: "memory-save", ...use, messages: 2, durationMs: 1 });
    expect(titles({ status: "running", steps: [retry] })).toEqual(["Trying the memory again (1 of 2)"]);
    expect(titles({ status: "running", steps: [retry, saved] })).toEqual([]);
  });
});

describe("a model call that is tried again", () => {
  const error = { code: "model_error", message: "The server failed.", hint: "Wait.", retryable: true } as const;
  const event = { runId: "r", seq: 1, at: 500, nodeId: "model", attempt: 2, maxAttempts: 3, delayMs: 1_000, error };
  const retry: NoteStep = { kind: "note", id: "1", startedAt: 500, event: { ...event, type: "retry" } };

  it("is said with the reason and the moment of the next try", () => {
    expect(partsOfRun(finished({ status: "running", steps: [retry] }))).toEqual([
      { kind: "trouble", id: "1", title: "Trying again (2 of 3)", words: "The server failed.", until: 1_500 },
    ]);
  });

  it("is no part of an answer that is given, or of a failure", () => {
    expect(partsOfRun(finished({ steps: [retry] }))).toEqual([]);
  });
});

describe("an answer that ended early", () => {
  const ending = { finish: "max_iterations", message: "Stopped after 10 iterations.", hint: "Raise it." } as const;

  it("ends with the reason, also where there is no text", () => {
    const run = finished({ output: { response: "", metadata: {} }, ending: { nodeId: "agent", ...ending } });
    expect(partsOfRun(run)).toEqual([{ kind: "ending", id: "ending", ending: { nodeId: "agent", ...ending } }]);
  });

  it("is marked where it is remembered", () => {
    const messages: Message[] = [userMessage("Look."), { role: "assistant", parts: [], incomplete: "loop_detected" }];
    expect(pastEntries(messages)).toMatchObject([
      { role: "user" },
      { role: "assistant", parts: [{ kind: "past-ending", finish: "loop_detected" }] },
    ]);
  });
});

describe("pastEntries", () => {
  it("joins calls, results and the answer of one question", () => {
    const messages: Message[] = [
      userMessage("2+2?"),
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "calculator", arguments: "{}" }] },
      { role: "tool", callId: "c", toolName: "calculator", ok: true, text: "4" },
      assistantMessage("It is 4."),
      userMessage("Thanks"),
      assistantMessage("Welcome."),
    ];
    const entries = pastEntries(messages);
    expect(entries.map((entry) => entry.role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(entries[1]).toMatchObject({
      parts: [
        { kind: "past-tool", toolName: "calculator", output: "4", ok: true },
        { kind: "text", text: "It is 4." },
      ],
    });
  });

  it("keeps the pictures of a question", () => {
    const url = "data:image/png;base64,AAAA";
    const question: Message = {
      role: "user",
      parts: [
        { type: "text", text: "Look" },
        { type: "image", url },
      ],
    };
    expect(pastEntries([question])).toEqual([
      { role: "user", id: "past-0", message: { text: "Look", images: [url] }, question: 0 },
    ]);
  });

  it("shows a file that a model made once, where it was made", () => {
    const made = { ...file, name: "picture-1.png", mediaType: "image/png" };
    const other = { ...file, $file: "00000000-0000-4000-9000-000000000002" };
    const answer: Message = {
      role: "assistant",
      parts: [
        { type: "text", text: "Here:" },
        { type: "made-file", file: made },
      ],
    };
    const parts = pastEntries([userMessage("Draw"), answer])[1];
    expect(parts).toMatchObject({ parts: [{ kind: "text" }, { kind: "files", files: [made] }] });
    const shown = parts?.role === "assistant" ? parts.parts : [];
    expect(filesPart({ response: "Here:", files: [made] }, shown)).toEqual([]);
    expect(filesPart({ files: [made, other] }, shown)).toMatchObject([{ kind: "files", files: [other] }]);
    const draft = [{ kind: "agent" as const, id: "a", nodeId: "a", isDraft: true, parts: shown }];
    expect(filesPart({ files: [made] }, draft)).toMatchObject([{ files: [made] }]);
  });

  it("names the files of a question, and shows the pictures of an answer", () => {
    const file = "data:application/pdf;base64,JVBERi0xLjc=";
    const made = "data:image/png;base64,AAAA";
    const messages: Message[] = [
      {
        role: "user",
        parts: [
          { type: "text", text: "Draw this." },
          { type: "file", url: file, name: "plan.pdf" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Here:" },
          { type: "image", url: made },
        ],
      },
    ];
    const [question, answer] = pastEntries(messages);
    expect(question).toMatchObject({ message: { text: "Draw this.", inline: [{ name: "plan.pdf", url: file }] } });
    expect(answer).toMatchObject({
      parts: [
        { kind: "text", text: "Here:" },
        { kind: "picture", url: made },
      ],
    });
  });
});
