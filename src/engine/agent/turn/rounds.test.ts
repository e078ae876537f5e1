import { describe, expect, it } from "vitest";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import type { ScriptedTurn } from "../../testing/scripted-model.ts";
import type { ModelRequest } from "../../model/chat-model.ts";

let turn = 0;
/** A model that calls a tool whenever it is offered one, each time with other arguments. */
function alwaysCalls(request: ModelRequest): ScriptedTurn {
  return request.tools.length > 0 && request.toolChoice !== "none"
    ? { text: "Still looking.", calls: [{ name: "look", arguments: { turn: (turn += 1) } }] }
    : { text: "My best answer." };
}
const look = () => testTool("look", (input) => ({ ok: true, output: input }));

describe("the iteration limit", () => {
  it("S54 stops a model that always calls at the limit, with an answer", async () => {
    const memory = testMemory();
    const { outcome, model, of } = await runScriptedAgent({
      script: alwaysCalls,
      tools: [look()],
      memory,
      settings: { maxIterations: 4 },
    });
    expect(outcome).toMatchObject({
      ok: true,
      finish: "max_iterations",
      output: { response: "My best answer.", metadata: { iterations: 4, finishReason: "max_iterations" } },
    });
    expect(model.requests).toHaveLength(5);
    // The tools are still named: a model's signed thinking does not survive a change of them.
    expect(model.requests[4]).toMatchObject({ tools: model.requests[0]?.tools, toolChoice: "none" });
    expect(of("model-request").at(-1)?.purpose).toBe("final");
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ parts: [{ text: "My best answer." }] });
  });

  it("S54 answers even when the model calls tools that it was not offered", async () => {
    const { outcome } = await runScriptedAgent({
      script: () => ({ calls: [{ name: "look", arguments: { turn: (turn += 1) } }] }),
      tools: [look()],
      settings: { maxIterations: 2 },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "max_iterations" });
    expect(outcome.ok && outcome.output.response).toContain("limit of 2 iterations");
  });

  it("gives back the text so far when it is set to stop", async () => {
    const memory = testMemory();
    const { outcome, model } = await runScriptedAgent({
      script: alwaysCalls,
      tools: [look()],
      memory,
      settings: { maxIterations: 2, onIterationLimit: "stop" },
    });
    expect(model.requests).toHaveLength(2);
    expect(outcome).toMatchObject({ ok: true, finish: "max_iterations", output: { response: "Still looking." } });
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({
      parts: [{ text: "Still looking." }],
      incomplete: "max_iterations",
    });
  });

  it("numbers the iterations in the log", async () => {
    const { of } = await runScriptedAgent({
      script: alwaysCalls,
      tools: [look()],
      settings: { maxIterations: 2, onIterationLimit: "stop" },
    });
    expect(of("iteration-start")).toMatchObject([
      { iteration: 1, round: 1, maxIterations: 2 },
      { iteration: 2, round: 1, maxIterations: 2 },
    ]);
  });
});

describe("tool choice", () => {
  const script = [{ calls: [{ name: "look", arguments: {} }] }, { text: "Done." }];

  it("is required until one tool has been called, then auto", async () => {
    const { model } = await runScriptedAgent({ script, tools: [look()], settings: { toolChoice: "required" } });
    expect(model.requests.map((request) => request.toolChoice)).toEqual(["required", "auto"]);
  });

  it("stays required after a call that could not be made", async () => {
    const { model, outcome } = await runScriptedAgent({
      script: [{ calls: [{ name: "lock", arguments: {} }] }, ...script],
      tools: [look()],
      settings: { toolChoice: "required" },
    });
    expect(model.requests.map((request) => request.toolChoice)).toEqual(["required", "required", "auto"]);
    expect(outcome).toMatchObject({ output: { metadata: { toolsUsed: ["look"] } } });
  });

  it("is auto by default", async () => {
    const { model } = await runScriptedAgent({ script, tools: [look()] });
    expect(model.requests.map((request) => request.toolChoice)).toEqual(["auto", "auto"]);
  });

  it("with none runs no tool, even when the model calls one", async () => {
    const tool = look();
    const { model, of } = await runScriptedAgent({ script, tools: [tool], settings: { toolChoice: "none" } });
    expect(model.requests[0]?.toolChoice).toBe("none");
    expect(tool.inputs).toEqual([]);
    expect(of("tool-call-end")[0]?.text).toContain("turned off");
  });

  it("asks for nothing where there are no tools", async () => {
    const { model } = await runScriptedAgent({ script: [{ text: "Hi" }], settings: { toolChoice: "required" } });
    expect(model.requests[0]?.toolChoice).toBe("auto");
  });
});

describe("budgets", () => {
  const usage = { inputTokens: 400, outputTokens: 200 };
  const script = () => ({ text: "Working.", calls: [{ name: "look", arguments: { turn: (turn += 1) } }], usage });

  it("stops when the tokens are spent, keeps what it has and makes no more calls", async () => {
    const tool = look();
    const memory = testMemory();
    const { outcome, model, of } = await runScriptedAgent({
      script,
      tools: [tool],
      memory,
      settings: { maxTotalTokens: 1_000 },
    });
    expect(model.requests).toHaveLength(2);
    expect(tool.inputs).toHaveLength(1);
    expect(outcome).toMatchObject({
      ok: true,
      finish: "budget",
      output: { response: "Working.", metadata: { usage: { inputTokens: 800, outputTokens: 400 } } },
    });
    expect(of("iteration-end").at(-1)).toMatchObject({
      finish: "budget",
      ending: {
        message: "Stopped at the token budget: 1200 of 1000 tokens.",
        setting: { nodeId: "agent", field: "maxTotalTokens" },
      },
    });
    // The call that was never made is left out.
    expect(memory.writes[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("lets an answer that spends the budget count", async () => {
    const { outcome } = await runScriptedAgent({
      script: [{ text: "Answer.", usage }],
      settings: { maxTotalTokens: 100 },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
  });

  it("stops when the cost is spent", async () => {
    const { outcome } = await runScriptedAgent({
      script,
      tools: [look()],
      settings: { maxCostUsd: 0.004 },
      modelOptions: { provider: "openai", modelId: "gpt-4o" },
    });
    // One call costs 400 × 2.50 + 200 × 10 dollars per million = 0.003.
    expect(outcome).toMatchObject({ ok: true, finish: "budget", output: { metadata: { costUsd: 0.006 } } });
  });

  it("counts what a tool spends on models", async () => {
    const agent = {
      ...testTool("helper"),
      execute: (_input: unknown, context: { addUsage(used: typeof usage, cost: number): void }) => {
        context.addUsage({ inputTokens: 5_000, outputTokens: 0 }, 0.1);
        return Promise.resolve({ ok: true as const, output: "ok" });
      },
    };
    const { outcome } = await runScriptedAgent({
      script: [{ calls: [{ name: "helper", arguments: {} }] }, { text: "Never asked." }],
      tools: [agent],
      settings: { maxTotalTokens: 1_000 },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "budget" });
  });
});

describe("the time limit", () => {
  it("aborts the open request and fails with timeout", async () => {
    const memory = testMemory();
    const { outcome, model, of } = await runScriptedAgent({
      script: [{ text: "Half", hang: true }],
      memory,
      settings: { timeoutMs: 5_000 },
    });
    expect(outcome).toMatchObject({ ok: false, finish: "timeout", error: { code: "timeout" } });
    expect(model.requests[0]?.signal.aborted).toBe(true);
    const response = of("model-response")[0];
    expect(response && messageText(response.message)).toBe("Half");
    expect(of("iteration-end")[0]?.finish).toBe("timeout");
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ parts: [{ text: "Half" }], incomplete: "timeout" });
  });

  it("covers tool calls and waits as well", async () => {
    const stuck = testTool("stuck", () => new Promise(() => undefined), { timeoutMs: 600_000 });
    const { outcome } = await runScriptedAgent({
      script: [{ calls: [{ name: "stuck", arguments: {} }] }],
      tools: [stuck],
      settings: { timeoutMs: 5_000 },
    });
    expect(outcome).toMatchObject({ ok: false, finish: "timeout", metadata: { durationMs: 5_000 } });
  });
});
