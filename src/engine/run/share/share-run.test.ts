import { describe, expect, test } from "vitest";
import { documentLimits } from "../../document/read-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { buildWorkflow } from "../../testing/build-workflow.ts";
import type { Json } from "../../json.ts";
import type { RunEvent, RunEventBody } from "../events.ts";
import { reduceRunAll } from "../reduce-run.ts";
import { emptyRunState } from "../run-state.ts";
import { shareRun } from "./share-run.ts";
import { fewestParts, shownLimits, readSharedRun, sharedId, type SharedParts, type SharedRun } from "./shared-run.ts";

const runId = "11111111-1111-4111-8111-111111111111";
const workflowId = "22222222-2222-4222-8222-222222222222";
const credential = "33333333-3333-4333-8333-333333333333";
const otherRun = "44444444-4444-4444-8444-444444444444";
const picture = "data:image/png;base64,aGlkZGVuLXBpY3R1cmU=";
const key = "sk-ant-0123456789abcdefghij";

const document = {
  ...buildWorkflow({
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent", { systemPrompt: "hidden-prompt" }],
      model: ["openai-model", { model: "gpt-4o-mini", credential }],
      tool: ["http-request-tool", { url: "https://hidden-host.example/" }],
      note: ["sticky-note", { text: "hidden-note" }],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  }),
  id: workflowId,
  privacy: { mask: ["emails" as const], patterns: [] },
};

const model = { nodeId: "agent", modelNodeId: "model", edgeId: "e", callId: "m1", iteration: 1 } as const;
const tool = { nodeId: "agent", toolNodeId: "tool", edgeId: "t", callId: "c1" } as const;
const error = { code: "tool_error", message: "hidden-error", hint: "hidden-hint", retryable: true } as const;
const said = (text: string) => ({ role: "assistant" as const, parts: [{ type: "text" as const, text }] });

const bodies: (RunEventBody & { parentCallId?: string })[] = [
  {
    type: "run-start",
    workflowId,
    workflowName: "Support",
    forkedFrom: { runId: otherRun },
    input: {
      message: `hello <b>x</b> ${key}`,
      sessionId: "hidden-session",
      images: [picture],
      extra: "hidden-extra",
    },
    untrusted: ["hidden-source"],
  },
  { type: "node-start", nodeId: "agent", input: { message: "hidden-input", credential } },
  {
    type: "memory-load",
    nodeId: "agent",
    memoryNodeId: "m",
    edgeId: "x",
    session: "hidden-session",
    messages: 2,
    durationMs: 1,
  },
  { type: "iteration-start", nodeId: "agent", iteration: 1, round: 1, maxIterations: 5 },
  {
    type: "model-request",
    ...model,
    purpose: "answer",
    provider: "openai",
    model: "gpt-4o-mini",
    settings: { temperature: 0.123 },
    messages: [
      {
        role: "system",
        text: `hidden-prompt ${credential}`,
      },
      {
        role: "user",
        parts: [
          {
            type: "text",
            text: "hidden-earlier-question",
          },
        ],
      },
      {
        role: "assistant",
        parts: [
          {
            type: "text",
            text: "hidden-earlier-answer",
          },
        ],
      },
      {
        role: "user",
        parts: [
          {
            type: "text",
            text: "hello",
          },
          {
            type: "image",
            url: picture,
          },
        ],
      },
    ],
    fromMemory: 2,
    tools: [
      {
        name: "http",
        description: "hidden-description",
        parameters: {},
      },
    ],
    toolChoice: "auto",
    booked: {
      usd: 0.777,
      tokens: 1,
    } as never,
  },
  { type: "reasoning-delta", nodeId: "agent", callId: "m1", text: "hidden-thought" },
  { type: "text-delta", nodeId: "agent", callId: "m1", text: "I ask sk-ant-012345" },
  { type: "text-delta", nodeId: "agent", callId: "m1", text: "6789abcdefghij" },
  {
    type: "model-response",
    ...model,
    finishReason: "tool-calls",
    rawFinishReason: "hidden-raw",
    durationMs: 5,
    message: {
      role: "assistant",
      parts: [
        {
          type: "text",
          text: "I ask",
          vendor: { signature: "hidden-signature" },
        },
        {
          type: "tool-call",
          callId: "c1",
          toolName: "http",
          arguments: '{"q":"hidden-argument"}',
        },
      ],
    },
    usage: {
      inputTokens: 3,
      outputTokens: 4,
    },
    costUsd: 0.777,
  },
  { type: "tool-call-start", ...tool, toolName: "http", input: { q: "hidden-argument" } },
  { type: "log", nodeId: "agent", level: "info", message: "hidden-log" },
  { type: "node-start", nodeId: "tool/hidden-inner", input: "hidden-inner-input", parentCallId: "c1" },
  { type: "edge-pass", edgeId: "tool/hidden-inner-edge", parentCallId: "c1" },
  {
    type: "model-request",
    ...model,
    callId: "m2",
    purpose: "answer",
    provider: "openai",
    model: "gpt-4o-mini",
    settings: {},
    messages: [],
    tools: [],
    toolChoice: "auto",
    parentCallId: "c1",
  },
  { type: "text-delta", nodeId: "agent", callId: "m2", text: "hidden-inner-answer", parentCallId: "c1" },
  {
    type: "model-response",
    ...model,
    callId: "m2",
    finishReason: "stop",
    durationMs: 5,
    costUsd: 0.777,
    message: said("hidden-inner-answer"),
    parentCallId: "c1",
  },
  {
    type: "tool-call-end",
    ...tool,
    toolName: "http",
    ok: true,
    truncated: false,
    durationMs: 5,
    size: 4321,
    output: {
      body: "hidden-result",
      file: picture,
      mail: "ann@example.com",
    },
    text: "hidden-result",
  },
  { type: "retry", nodeId: "tool", attempt: 1, maxAttempts: 2, delayMs: 1, error },
  { type: "warning", message: "hidden-warning", hint: "hidden-hint" },
  { type: "plan", nodeId: "agent", text: "hidden-plan" },
  {
    type: "node-end",
    nodeId: "agent",
    output: { response: "The mail is ann@example.com", toolCalls: ["hidden-call"] },
    ports: ["main"],
    durationMs: 9,
  },
  {
    type: "run-end",
    outcome: "completed",
    usage: {
      inputTokens: 3,
      outputTokens: 4,
    },
    costUsd: 0.777,
    durationMs: 9,
    output: {
      response: "The mail is ann@example.com",
      toolCalls: ["hidden-call"],
      images: [picture],
    },
  },
];

const events = bodies.map((body, seq): RunEvent => ({ runId, seq, at: seq * 10, ...body }));
const shareWith = (parts: Partial<SharedParts> = {}) =>
  shareRun(
    { id: runId, workflowId, document, events },
    { ...fewestParts, ...parts },
    nodeRegistry,
    () => `hidden-line ${credential}`,
  );
/** The copy's text of a run that an agent answered with `output`, or that ended with it. */
function textEnding(output: Json, parts: Partial<SharedParts>, changes: { input?: Json; agent?: Json } = {}): string {
  const changed = events.map((event): RunEvent => {
    if (event.type === "run-start" && changes.input !== undefined) return { ...event, input: changes.input };
    if (event.type === "node-end") return { ...event, output: changes.agent ?? output };
    return event.type === "run-end" ? { ...event, output } : event;
  });
  const run = { id: runId, workflowId, document, events: changed };
  return JSON.stringify(shareRun(run, { ...fewestParts, ...parts }, nodeRegistry, () => ""));
}

const textWith = (parts?: Partial<SharedParts>) => JSON.stringify(shareWith(parts));

describe("S98 the copy of a run that strangers are shown", () => {
  test("S98 holds no prompt, setting, argument, result, file, cost, id or earlier conversation by itself", () => {
    const text = textWith();
    expect(text.match(/hidden-[a-z-]+/g)).toBeNull();
    for (const secret of [runId, workflowId, otherRun, credential, picture, key, "0.777", "0.123", "4321", "ann@"]) {
      expect(text, secret).not.toContain(secret);
    }
    expect(text).toContain("hello <b>x</b>");
    expect(text).toContain("I ask");
    expect(text).toContain("gpt-4o-mini");
  });

  test("S98 gets what its owner switches on, and nothing else", () => {
    const hidden = (parts: Partial<SharedParts>) => [...new Set(textWith(parts).match(/hidden-[a-z-]+/g))].toSorted();
    expect(hidden({ prompts: true })).toEqual(["hidden-line", "hidden-plan", "hidden-prompt", "hidden-thought"]);
    expect(hidden({ files: true })).toEqual([]);
    expect(textWith({ files: true })).toContain(picture);
    const ofData = [
      "argument",
      "call",
      "error",
      "extra",
      "inner",
      "inner-answer",
      "inner-edge",
      "inner-input",
      "input",
    ];
    expect(hidden({ data: true })).toEqual(
      [...ofData, "hint", "result", "warning"].map((word) => `hidden-${word}`).toSorted(),
    );
    expect(textWith({ data: true })).not.toContain(picture);
  });

  test("S98 keeps masks and ids out whatever is switched on, also where a stream cuts them in two", () => {
    const text = textWith({ prompts: true, data: true, files: true });
    for (const secret of [runId, workflowId, otherRun, credential, key, "ann@example.com", "hidden-session"]) {
      expect(text, secret).not.toContain(secret);
    }
    expect(text).not.toMatch(/hidden-(earlier|note|log|signature|raw|source|description|host)/);
    expect(text).not.toContain("6789abcdefghij");
    expect(text).not.toContain("0.777");
  });

  test("S98 leaves files out of texts, wherever they stand, unless they are shared", () => {
    const within = [
      picture,
      `Here: ![x](${picture}) and more`,
      `{"image":"${picture}","n":1}`,
      JSON.stringify(JSON.stringify({ image: picture })),
      JSON.stringify({ image: picture }).replaceAll("/", String.raw`\/`),
      `line\\n${picture}`,
    ];
    for (const text of within) {
      const output = { response: text, note: text, list: [text] };
      for (const parts of [{}, { data: true }, { data: true, prompts: true }]) {
        const shown = textEnding(output, parts, { input: { message: text } });
        expect(shown, text).not.toContain("aGlkZGVuLXBpY3R1cmU");
        expect(shown, text).toContain("[file]");
      }
      expect(textEnding(output, { files: true }), text).toContain("aGlkZGVuLXBpY3R1cmU");
    }
    expect(textEnding({ response: 'data:image/svg+xml;utf8,<svg x="1">hidden</svg>' }, {})).not.toContain("hidden");
    const prose = "The data: none. Metadata:a,b";
    expect(textEnding({ response: prose }, {})).toContain(prose);
    const json = textEnding({ response: `{"image":"${picture}","n":1}` }, {});
    expect(json).toContain(JSON.stringify('{"image":"[file]","n":1}'));
  });

  test("S98 writes the conversation's name as [id] wherever it stands", () => {
    const session = "+491701234567";
    const output = { response: `Called ${session}.`, caller: session, number: 491701234 };
    const input = { message: `I am ${session}`, sessionId: session, from: { phone: session } };
    const shown = textEnding(output, { prompts: true, data: true, files: true }, { input });
    expect(shown).not.toContain(session);
    expect(shown).toContain("I am [id]");
    expect(shown).toContain("491701234");
    expect(textEnding({ response: "a test" }, {}, { input: { message: "a test", sessionId: "test" } })).toContain(
      '"a test"',
    );
  });

  test("S98 leaves the names of credentials out of errors", () => {
    const message = (name: string) =>
      `OpenAI refused the API key (credential "${name}"). The credential "hidden-key" is gone.`;
    for (const name of ["Ann's key", 'hidden-key of "Acme" (prod)', "hidden-key: €, 5 %"]) {
      const failed = events.map((event): RunEvent => {
        if (event.type !== "run-end") return event;
        return { ...event, outcome: "failed", error: { ...error, message: message(name) } };
      });
      const run = { id: runId, workflowId, document, events: failed };
      const shown = JSON.stringify(shareRun(run, { ...fewestParts, data: true }, nodeRegistry, () => ""));
      expect(shown).not.toMatch(/hidden-key|Ann's/);
      expect(shown).toContain(JSON.stringify('(credential "[name]"). The credential "[name]" is gone.').slice(1, -1));
    }
  });

  test("S98 takes for an answer only what an agent said", () => {
    const agent = { response: "It rains." };
    const others: Json[] = ["hidden-result", { response: "hidden-result" }, { agent, other: "hidden-result" }];
    for (const output of others) {
      expect(textEnding(output, {}, { agent })).not.toContain("hidden-result");
      expect(textEnding(output, { data: true }, { agent })).toContain("hidden-result");
    }
    expect(textEnding(agent, {}, { agent, input: "hidden-input" })).not.toContain("hidden-input");
    for (const output of ["It rains.", agent]) expect(textEnding(output, {}, { agent })).toContain("It rains.");
  });

  test("S98 has the outputs that a node shows, with its own labels only where its settings are shared", () => {
    const switching = buildWorkflow({ nodes: { by: ["switch", { value: "x", cases: ["hidden-a", "hidden-b"] }] } });
    const outputsWith = (prompts: boolean) =>
      shareRun(
        { id: runId, workflowId, document: switching, events: [] },
        { ...fewestParts, prompts },
        nodeRegistry,
        () => "",
      ).nodes[0]?.outputs;
    expect(outputsWith(false)).toEqual({ case1: "1", case2: "2", default: "Otherwise" });
    expect(outputsWith(true)).toEqual({ case1: "hidden-a", case2: "hidden-b", default: "Otherwise" });
    expect(shareWith().nodes.every(({ outputs }) => outputs === undefined)).toBe(true);
  });

  test("S98 is read back as it was made, and replays to the same end", () => {
    const shared = shareWith();
    expect(readSharedRun(JSON.parse(JSON.stringify(shared)))).toEqual(shared);
    expect(readSharedRun({ version: 2 })).toBeNull();
    expect(shownLimits).toEqual({ nodes: documentLimits.nodes, edges: documentLimits.edges });
    const odd: Partial<Record<keyof SharedRun, unknown>>[] = [
      { title: 1 },
      { types: { "ai-agent": {} } },
      { types: { "ai-agent": { ...shared.types["ai-agent"], inputs: { main: { kind: "main", side: "nowhere" } } } } },
      { nodes: Array(2_001).fill(shared.nodes[0]) },
      { nodes: [{ ...shared.nodes[0], position: { x: "0", y: 0 } }] },
      { edges: [{ id: "e", from: "a", to: "b" }] },
      { events: [null] },
      { events: ["text"] },
      { events: [{ type: "run-start" }] },
      { events: [{ ...shared.events[0], runId }] },
      { events: [{ ...shared.events[0], seq: Infinity }] },
      { parts: { data: "all" } },
    ];
    for (const changed of odd)
      expect(readSharedRun({ ...shared, ...changed }), JSON.stringify(changed).slice(0, 80)).toBeNull();
    const state = reduceRunAll(emptyRunState(sharedId), shared.events);
    expect(state).toMatchObject({ status: "completed", runId: sharedId, workflowId: sharedId });
    expect(state.output).toEqual({ response: "The mail is [email]" });
    expect(state.steps.filter(({ kind }) => kind === "tool")).toHaveLength(1);
    expect(shared.nodes.map(({ id }) => id)).not.toContain("note");
  });
});
