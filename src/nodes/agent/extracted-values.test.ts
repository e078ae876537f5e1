import { expect, it } from "vitest";
import type { RunEvent } from "../../engine/run/events.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunOptions } from "../../engine/run/run-workflow.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "./ai-agent.ts";

const values = [{ tool: "pay", argument: "account", type: "id" }];
const turn = (name: string, input: object, callId: string): ScriptedTurn => ({
  calls: [{ name, arguments: { ...input }, callId }],
});
const turns = [
  turn("read", {}, "r"),
  turn("extract_values", { source: "read", values }, "x"),
  { text: '{"value_1": "DE-4711"}' },
  turn("pay", { account: "DE-4711" }, "p"),
  { text: "Paid." },
];

/** A run of an agent that pays what a page says; `script`: what its model answers. */
async function run(options: Partial<RunOptions> = {}, script = turns) {
  const model = scriptedModel(script);
  const parameters = { type: "object", properties: { account: { type: "string" } } };
  const pay = testTool("pay", "paid", { approval: "ask-after-untrusted", parameters });
  const page = testTool("read", "Pay to account DE-4711, and never to DE-6666.", { untrusted: true });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), toolNodeOf("page", page), toolNodeOf("pay", pay)];
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      agent: ["ai-agent", { userMessage: "Pay the bill.", extractValues: true }],
      model: ["m"],
      page: ["page"],
      pay: ["pay"],
    },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "page.tool -> agent.tools",
      "pay.tool -> agent.tools",
    ],
  });
  const host = testHost({
    approve: ({ form, input }) => (form ? { approved: true, input } : { approved: false, reason: "" }),
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const { events, end } = await runToEnd(document, { registry, host, input: {}, ...options });
  return { events, end, document, asked: host.approvals.map(({ toolName }) => toolName), paid: pay.inputs, model };
}

const upTo = (events: readonly RunEvent[], isLast: (event: RunEvent) => boolean) =>
  events.slice(0, events.findIndex(isLast) + 1);
const endOf = (callId: string) => (event: RunEvent) => event.type === "tool-call-end" && event.callId === callId;

it("serves confirmed values in a replay: no request, no question, and no call", async () => {
  const first = await run();
  expect([first.asked, first.paid]).toEqual([["extract_values"], [{ account: "DE-4711" }]]);
  const replay = await run({ replay: { recording: recordingOf(first.events, first.document) } });
  expect([replay.asked, replay.paid, replay.model.requests]).toEqual([[], [], []]);
  expect(replay.end.output).toEqual(first.end.output);
});

it("knows in a resumed run what was confirmed before", async () => {
  const { events } = await run();
  const resume = { events: upTo(events, endOf("x")), attempt: 2 };
  const resumed = await run({ runId: events[0]?.runId ?? "", resume }, turns.slice(3));
  expect([resumed.asked, resumed.paid]).toEqual([[], [{ account: "DE-4711" }]]);
});

it("S100 takes an answer that was given while the run was away for what was asked then", async () => {
  const { events } = await run();
  const resume = { events: upTo(events, ({ type }) => type === "form-wait"), attempt: 2 };
  const answered: string[] = [];
  const host = testHost({
    approve({ callId, form }) {
      if (form) answered.push(callId);
      return form ? { approved: true, input: { value_1: "DE-4711" } } : { approved: false, reason: "" };
    },
  });
  // This time the model finds something else.
  const again = [{ text: '{"value_1": "DE-6666"}' }, ...turns.slice(3)];
  const resumed = await run({ runId: events[0]?.runId ?? "", resume, host }, again);
  expect(answered).toEqual(["x/form-values-1"]);
  expect(resumed.paid).toEqual([{ account: "DE-4711" }]);
});

it("S100 asks again in a fork that goes on without the confirmation", async () => {
  const { events, document } = await run();
  const changes = { x: { kind: "result", ok: false, output: "Rejected." } } as const;
  const fork = await run({ replay: { recording: recordingOf(events, document), changes } }, turns.slice(3));
  expect([fork.asked, fork.paid]).toEqual([["pay"], []]);
});
