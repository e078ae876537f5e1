import { describe, expect, it } from "vitest";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";

const outputSchema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
};
const good = '{"city":"Oslo","degrees":-3}';

describe("output format json", () => {
  const settings = { outputFormat: "json" as const, outputSchema };

  it("gives the parsed answer and tells the model of the schema", async () => {
    const { outcome, model } = await runScriptedAgent({ script: [{ text: good }], settings });
    expect(outcome).toMatchObject({ ok: true, output: { response: { city: "Oslo", degrees: -3 } } });
    expect(model.requests[0]?.responseFormat).toEqual({ type: "json", schema: outputSchema });
    const system = model.requests[0]?.messages[0];
    expect(system && messageText(system)).toContain('"degrees"');
  });

  it("reads JSON in a code fence", async () => {
    const { outcome } = await runScriptedAgent({ script: [{ text: `Here:\n\`\`\`json\n${good}\n\`\`\`` }], settings });
    expect(outcome).toMatchObject({ ok: true, output: { response: { city: "Oslo" } } });
  });

  it.each([
    ["prose", `As in [1], it is ${good} there.`],
    ["a second fence", '```json\n{"city":"?"}\n```\nNo:\n```json\n' + good + "\n```"],
    ["a trailing comma", '{"city":"Oslo","degrees":-3,}'],
  ])("reads the value that fits in an answer with %s", async (_what, text) => {
    const { outcome, model } = await runScriptedAgent({ script: [{ text }], settings });
    expect(outcome).toMatchObject({ ok: true, output: { response: { city: "Oslo", degrees: -3 } } });
    expect(model.requests).toHaveLength(1);
  });

  it("asks once for a repair, naming what is wrong, and remembers the repaired answer", async () => {
    const memory = testMemory();
    const { outcome, model, of } = await runScriptedAgent({
      script: [{ text: '{"city":"Oslo","degrees":"cold"}' }, { text: good }],
      settings,
      memory,
    });
    expect(outcome).toMatchObject({ ok: true, output: { response: { degrees: -3 } } });
    expect(of("model-request").map((event) => event.purpose)).toEqual(["answer", "repair"]);
    const question = model.requests[1]?.messages.at(-1);
    expect(question && messageText(question)).toContain('Field "degrees"');
    expect(memory.writes[0]?.messages.map(messageText)).toEqual(["Hello", good]);
  });

  it("fails after a repair that did not help", async () => {
    const memory = testMemory();
    const { outcome, model } = await runScriptedAgent({ script: () => ({ text: "It is cold." }), settings, memory });
    expect(model.requests).toHaveLength(2);
    expect(outcome).toMatchObject({ ok: false, error: { code: "model_error" } });
    expect(!outcome.ok && outcome.error.message).toContain("not valid JSON");
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ incomplete: "error", parts: [{ text: "It is cold." }] });
  });

  it("takes any JSON without a schema", async () => {
    const { outcome } = await runScriptedAgent({ script: [{ text: "[1, 2]" }], settings: { outputFormat: "json" } });
    expect(outcome).toMatchObject({ ok: true, output: { response: [1, 2] } });
  });

  it("gives an error object where the agent stopped before it had the JSON", async () => {
    const { outcome, model } = await runScriptedAgent({
      script: [{ text: '{"city":"Os', finishReason: "length" }],
      settings,
    });
    expect(model.requests).toHaveLength(1);
    expect(outcome).toMatchObject({
      ok: true,
      finish: "length",
      output: { response: { error: { finishReason: "length", text: '{"city":"Os' } } },
    });
    const budget = await runScriptedAgent({
      script: [{ text: "Looking.", calls: [{ name: "look", arguments: {} }] }],
      tools: [testTool("look")],
      settings: { ...settings, maxTotalTokens: 1 },
    });
    expect(budget.outcome).toMatchObject({
      output: { response: { error: { finishReason: "budget", text: "Looking." } } },
    });
  });

  it("says of each tool call whether it worked in the full format", async () => {
    const tools = [testTool("look"), testTool("fail", () => ({ ok: false, error: { message: "No." } }))];
    const calls = ["look", "fail"].map((name) => ({ name, arguments: {} }));
    const { outcome } = await runScriptedAgent({
      script: [{ calls }, { text: "Done." }],
      tools,
      settings: { outputFormat: "full" },
    });
    expect(outcome).toMatchObject({ output: { toolCalls: [{ ok: true }, { ok: false }] } });
  });

  it("works with rounds", async () => {
    const { outcome } = await runScriptedAgent({
      script: [{ text: "{}" }, { text: `${good}\n[[DONE]]` }],
      settings: { ...settings, autoIterate: true },
    });
    expect(outcome).toMatchObject({ ok: true, output: { response: { city: "Oslo" } } });
  });
});

describe("output format full", () => {
  it("adds tool calls, plan and reflections", async () => {
    const { outcome, host } = await runScriptedAgent({
      script: [{ calls: [{ name: "look", arguments: { at: "sky" } }] }, { text: "Blue." }],
      tools: [testTool("look", { colour: "blue" })],
      settings: { outputFormat: "full" },
    });
    expect(outcome).toMatchObject({
      ok: true,
      output: {
        response: "Blue.",
        plan: null,
        reflections: [],
        toolCalls: [
          {
            toolName: "look",
            arguments: { at: "sky" },
            result: { colour: "blue" },
            ok: true,
            startedAt: host.now(),
            durationMs: 0,
          },
        ],
      },
    });
  });

  it("is not the default", async () => {
    const { outcome } = await runScriptedAgent({ script: [{ text: "Hi" }] });
    expect(outcome.ok && Object.keys(outcome.output).toSorted()).toEqual(["metadata", "response"]);
  });
});

describe("returnIntermediateSteps", () => {
  it("adds every step in order", async () => {
    const { outcome } = await runScriptedAgent({
      script: [{ text: "1. Look." }, { calls: [{ name: "look", arguments: {} }] }, { text: "Blue." }],
      tools: [testTool("look")],
      settings: { returnIntermediateSteps: true, planning: true },
    });
    expect(outcome).toMatchObject({
      output: {
        steps: [
          { kind: "model", purpose: "plan", text: "1. Look." },
          { kind: "model", purpose: "answer", toolCalls: ["look"] },
          { kind: "tool", toolName: "look", iteration: 1, round: 1 },
          { kind: "model", purpose: "answer", text: "Blue." },
        ],
      },
    });
  });
});
