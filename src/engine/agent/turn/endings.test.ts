import { describe, expect, it } from "vitest";
import { messageText } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import type { ScriptedTurn } from "../../testing/scripted-model.ts";

const look = () => testTool("look", "sky");
const looks: ScriptedTurn = { text: "Looking.", calls: [{ name: "look", arguments: {} }] };

describe("how an agent ends", () => {
  it("says at the last iteration that the iteration limit was reached, and which setting it is", async () => {
    const { of } = await runScriptedAgent({
      script: [looks, { text: "Sky." }],
      tools: [look()],
      settings: { maxIterations: 1 },
    });
    expect(of("iteration-end")).toMatchObject([
      {
        finish: "max_iterations",
        ending: {
          message: "Stopped after 1 iteration.",
          setting: { nodeId: "agent", field: "maxIterations", action: "Raise the limit" },
        },
      },
    ]);
  });

  it("says which call went round in circles", async () => {
    const { of, outcome } = await runScriptedAgent({
      script: () => looks,
      tools: [look()],
      settings: { repeatedCallLimit: 1 },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "loop_detected" });
    expect(of("iteration-end").at(-1)?.ending).toMatchObject({
      message: "Stopped because the model made the same call of look 2 times with the same result.",
      setting: { field: "repeatedCallLimit" },
    });
  });

  it("has no ending where it completed", async () => {
    const { of } = await runScriptedAgent({ script: [{ text: "Hi." }] });
    expect(of("iteration-end")).toEqual([
      { type: "iteration-end", nodeId: "agent", iteration: 1, round: 1, finish: "completed" },
    ]);
  });

  it.each([
    { finishReason: "length", finish: "length", setting: { nodeId: "model", field: "maxTokens" } },
    { finishReason: "content-filter", finish: "refused", setting: undefined },
    { finishReason: "other", finish: "error", setting: undefined },
  ] as const)("never calls an answer completed that ended with $finishReason", async (each) => {
    const { finishReason, finish, setting } = each;
    const memory = testMemory();
    const { outcome, of } = await runScriptedAgent({ script: [{ text: "Once upon", finishReason }], memory });
    expect(outcome).toMatchObject({
      ok: true,
      finish,
      output: { response: "Once upon", metadata: { finishReason: finish } },
    });
    const { ending } = of("iteration-end").at(-1) ?? {};
    expect(ending?.finish).toBe(finish);
    expect(setting ? ending?.setting : ending).toMatchObject(setting ?? { hint: expect.any(String) });
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ parts: [{ text: "Once upon" }], incomplete: finish });
  });

  describe("an answer that is empty", () => {
    const asksAgain = (of: Awaited<ReturnType<typeof runScriptedAgent>>["of"]) =>
      of("model-request").map(({ purpose }) => purpose);

    it.each([
      ["empty", ""],
      ["blank", " \n\u200B\n"],
    ])("is asked for once more where it is %s, also after tool calls, which are not made again", async (_how, text) => {
      const tool = look();
      const { of, model, outcome } = await runScriptedAgent({
        script: [looks, { text }, { text: "The sky.", calls: [{ name: "look", arguments: { again: true } }] }],
        tools: [tool],
      });
      expect(outcome).toMatchObject({
        ok: true,
        finish: "completed",
        output: { response: "The sky.", metadata: { finishReason: "completed" } },
      });
      expect(asksAgain(of)).toEqual(["answer", "answer", "final"]);
      expect(model.requests[2]?.toolChoice).toBe("none");
      expect(of("tool-call-start")).toHaveLength(1);
    });

    it("ends the agent as empty, which is no failure, where the second one is empty, too", async () => {
      const memory = testMemory();
      const { of, model, outcome } = await runScriptedAgent({ script: () => ({ text: "" }), memory });
      expect(model.requests).toHaveLength(2);
      expect(outcome).toMatchObject({
        ok: true,
        finish: "empty",
        output: { response: "", metadata: { finishReason: "empty" } },
      });
      expect(of("iteration-end")).toMatchObject([
        { finish: "empty", ending: { message: "The model gave an empty answer.", hint: expect.any(String) } },
      ]);
      expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ role: "assistant", incomplete: "empty" });
    });

    it("is not asked for again where a budget is spent, and a second call that fails does not fail the run", async () => {
      const spent = await runScriptedAgent({
        script: () => ({ text: "", usage: { inputTokens: 10, outputTokens: 1 } }),
        settings: { maxTotalTokens: 5 },
      });
      expect(spent.outcome).toMatchObject({ ok: true, finish: "empty" });
      expect(spent.model.requests).toHaveLength(1);
      const failing = await runScriptedAgent({ script: [{ text: "" }, { error: { code: "context_length" } }] });
      expect(failing.outcome).toMatchObject({ ok: true, finish: "empty" });
      expect(
        failing
          .of("warning")
          .map(({ message }) => message)
          .join(" "),
      ).toContain("asked once more and failed");
    });

    it("says so in JSON and in rounds, where the result of the round before stays", async () => {
      const json = await runScriptedAgent({ script: () => ({ text: "" }), settings: { outputFormat: "json" } });
      expect(json.outcome).toMatchObject({
        finish: "empty",
        output: { response: { error: { finishReason: "empty" } } },
      });
      const again = await runScriptedAgent({
        script: [{ text: "" }, { text: '{"a":1}' }],
        settings: { outputFormat: "json" },
      });
      expect(again.outcome).toMatchObject({ finish: "completed", output: { response: { a: 1 } } });
      const rounds = await runScriptedAgent({
        script: [{ text: "Draft." }, { text: "" }, { text: "" }],
        settings: { autoIterate: true },
      });
      expect(rounds.outcome).toMatchObject({ finish: "completed", output: { response: "Draft." } });
    });

    it("keeps the ending of its second try", async () => {
      for (const [finishReason, finish] of [
        ["length", "length"],
        ["content-filter", "refused"],
      ] as const) {
        const { outcome } = await runScriptedAgent({ script: [{ text: "" }, { text: "I", finishReason }] });
        expect(outcome).toMatchObject({ ok: true, finish });
      }
    });
  });

  it("is the same in the log and in the outcome where the model's call was cancelled by its server", async () => {
    const { of, outcome } = await runScriptedAgent({ script: [{ error: { code: "cancelled" } }] });
    expect(outcome).toMatchObject({ ok: false, finish: "cancelled" });
    expect(of("iteration-end").map(({ finish }) => finish)).toEqual(["cancelled"]);
  });

  it("tries again where a model stopped for an odd reason before it had said anything, then fails", async () => {
    const { outcome, model } = await runScriptedAgent({ script: () => ({ finishReason: "other" }) });
    expect(model.requests).toHaveLength(4);
    expect(outcome).toMatchObject({ ok: false, finish: "error", error: { code: "model_error" } });
    expect(!outcome.ok && outcome.error.message).toContain("stopped without an answer");
  });

  it("asks a model that paused to go on, and joins what it said", async () => {
    const memory = testMemory();
    const { outcome, model } = await runScriptedAgent({
      script: [{ text: "First, ", finishReason: "pause" }, { text: "then." }],
      memory,
    });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(outcome).toMatchObject({ ok: true, finish: "completed", output: { response: "First, then." } });
    expect(memory.writes[0]?.messages.map(messageText)).toEqual(["Hello", "First, then."]);
  });
});

describe("tool calls of an answer that was cut", () => {
  it.each(["", '{"at":"the'])("does not run a call whose arguments are %j, and tells the model", async (text) => {
    const tool = look();
    const { of, outcome } = await runScriptedAgent({
      script: [
        {
          calls: [
            { name: "look", arguments: { at: "sea" } },
            { name: "look", arguments: text },
          ],
          finishReason: "length",
        },
        { text: "Done." },
      ],
      tools: [tool],
    });
    expect(tool.inputs).toEqual([{ at: "sea" }]);
    const failed = of("tool-call-end").filter(({ ok }) => !ok);
    expect(failed.map(({ text }) => text)).toEqual([expect.stringContaining("token limit")]);
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
  });

  it("runs none of an answer that broke off", async () => {
    const tool = look();
    const { of } = await runScriptedAgent({
      script: [{ calls: [{ name: "look", arguments: {} }], finishReason: "other" }, { text: "Done." }],
      tools: [tool],
    });
    expect(tool.inputs).toEqual([]);
    expect(of("tool-call-end")[0]?.text).toContain("broke off");
  });

  it("still takes no arguments for an empty object where the answer is whole", async () => {
    const tool = look();
    await runScriptedAgent({
      script: [{ calls: [{ name: "look", arguments: "" }] }, { text: "Done." }],
      tools: [tool],
    });
    expect(tool.inputs).toEqual([{}]);
  });
});

describe("the turn after one that ended early", () => {
  it("knows the conversation after a loop, with its tool calls, and that the answer is missing", async () => {
    const memory = testMemory();
    const calls = [{ name: "look", arguments: {} }];
    const settings = { repeatedCallLimit: 1 };
    await runScriptedAgent({ script: () => ({ calls }), tools: [look()], memory, settings });
    expect(memory.writes[0]?.messages.at(-1)).toEqual({ role: "assistant", parts: [], incomplete: "loop_detected" });

    const { model } = await runScriptedAgent({
      script: [{ text: "You asked me to look." }],
      memory,
      settings: { userMessage: "What did I ask?" },
    });
    const sent = model.requests[0]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(sent.slice(1).map(messageText).join("\n")).toContain("Hello");
    const note = sent.at(-2);
    expect(note && messageText(note)).toContain("ended early because the same tool call kept repeating");
    expect(JSON.stringify(sent)).not.toContain('incomplete":');
  });

  it("knows what was said before a budget was spent", async () => {
    const memory = testMemory();
    await runScriptedAgent({ script: [looks], tools: [look()], memory, settings: { maxTotalTokens: 1 } });
    const { model } = await runScriptedAgent({ script: [{ text: "Yes." }], memory });
    const texts = model.requests[0]?.messages.map(messageText) ?? [];
    expect(texts.slice(1)).toEqual(["Hello", expect.stringMatching(/^Looking\.\n\n\[This turn ended early/), "Hello"]);
  });
});
