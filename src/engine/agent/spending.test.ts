import { describe, expect, it } from "vitest";
import { createSpendingLimit } from "../spending/spending-limit.ts";
import { runScriptedAgent, testTool } from "../testing/run-scripted-agent.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { testHost } from "../testing/test-host.ts";

/** A dollar for a thousand tokens of answer; the input is free. */
const dear = { input: 0, output: 1_000 };
const usage = { inputTokens: 10, outputTokens: 100 };
const look = () => testTool("look");
const call = { calls: [{ name: "look", arguments: {} }], usage };

describe("S92 the cost budget of an agent", () => {
  it("books and sends what it leaves where the model sets no limit, and settles what the call took", async () => {
    const { outcome, model, of } = await runScriptedAgent({
      script: [call, { text: "Done.", usage }],
      tools: [look()],
      settings: { maxCostUsd: 0.25 },
      modelOptions: { price: dear },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([250, 150]);
    expect(of("model-request").map(({ booked }) => booked?.maxOutputTokens)).toEqual([250, 150]);
  });

  it("sends no limit where no money is limited, and leaves a free model alone", async () => {
    const free = await runScriptedAgent({ script: [{ text: "Hi", usage }], modelOptions: { price: dear } });
    expect(free.model.requests[0]).not.toHaveProperty("maxOutputTokens");
    const { outcome, model } = await runScriptedAgent({
      script: [{ text: "Hi", usage }],
      settings: { maxCostUsd: 0.01 },
      modelOptions: { price: { input: 0, output: 0 } },
    });
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
    expect(model.requests[0]).not.toHaveProperty("maxOutputTokens");
  });

  it("ends with what it has where the next call has no room, be it a plan, a review, a repair or the last answer", async () => {
    const settings = { maxCostUsd: 0.11 };
    const answers = async (more: object, script = [call, { text: "Never.", usage }]) => {
      const { outcome, model } = await runScriptedAgent({
        script,
        tools: [look()],
        settings: { ...settings, ...more },
        modelOptions: { price: dear },
      });
      expect(outcome).toMatchObject({ ok: true, finish: "budget" });
      return model.requests.length;
    };
    expect(await answers({})).toBe(1);
    expect(await answers({ planning: true }, [{ text: "1. Look.", usage }])).toBe(1);
    expect(await answers({ reflection: true, reflectionFrequency: 1 })).toBe(1);
    expect(await answers({ maxIterations: 1 })).toBe(1);
    const asked = { outputFormat: "json", outputSchema: { type: "object" } };
    expect(await answers(asked, [{ text: "No JSON.", usage }])).toBe(1);
  });

  it("makes no call of a model without a known price, also where it is the fallback", async () => {
    const { outcome, model } = await runScriptedAgent({ script: [{ text: "Hi" }], settings: { maxCostUsd: 1 } });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "budget", nodeId: "model", message: expect.stringContaining("scripted-1") },
    });
    expect(model.requests).toHaveLength(0);
  });

  it("lets it through, and says so, where versions of before go on", async () => {
    const { outcome, of } = await runScriptedAgent({
      script: [{ text: "Hi" }],
      settings: { maxCostUsd: 1 },
      host: Object.assign(testHost(), { allowsUnknownPrices: true }),
    });
    expect(outcome).toMatchObject({ ok: true, finish: "completed" });
    expect(of("warning").map(({ message }) => message)).toEqual([expect.stringContaining("does not count its calls")]);
  });

  it("says once that it does not count what the vendor charges beside tokens, and nothing where nothing limits the call", async () => {
    const told = async (settings: object) => {
      const model = { ...scriptedModel([call, { text: "Done.", usage }]), price: dear, uncounted: "pictures" };
      const { of } = await runScriptedAgent({ script: [], model, tools: [look()], settings });
      return of("warning").map(({ message }) => message);
    };
    expect(await told({ maxCostUsd: 1 })).toEqual([expect.stringMatching(/scripted-1.* charges for pictures\.$/)]);
    expect(await told({})).toEqual([]);
  });

  it("counts a call whose answer was cut, and one that reports no usage", async () => {
    const { outcome, model } = await runScriptedAgent({
      script: [{ text: "Half of", delayMs: 400, error: { retryable: false } }, { text: "Never." }],
      settings: { maxCostUsd: 0.2, onError: "retry", retries: 2 },
      modelOptions: { price: dear },
    });
    expect(outcome.ok).toBe(false);
    expect(model.requests).toHaveLength(1);
  });

  it("says that an answer was cut at what the limit left", async () => {
    const { of } = await runScriptedAgent({
      script: [{ text: "Half of", finishReason: "length", usage }],
      settings: { maxCostUsd: 0.25 },
      modelOptions: { price: dear },
    });
    expect(of("warning").map(({ message }) => message)).toContainEqual(expect.stringContaining("cut at 250 tokens"));
  });

  it("stands under the limit of its host as well, whose refusal fails the call", async () => {
    const spending = createSpendingLimit({
      maxUsd: 0.05,
      refusal: () => ({ code: "budget", message: "The host has no more.", hint: "", retryable: false }),
    });
    const { outcome, model } = await runScriptedAgent({
      script: [{ text: "Hi", usage: { inputTokens: 0, outputTokens: 50 } }],
      settings: { maxCostUsd: 1 },
      host: Object.assign(testHost(), { spending }),
      modelOptions: { price: dear },
    });
    expect(model.requests[0]?.maxOutputTokens).toBe(50);
    expect(outcome.ok).toBe(true);
    const second = await runScriptedAgent({
      script: [{ text: "Hi" }],
      host: Object.assign(testHost(), { spending }),
      modelOptions: { price: dear },
    });
    expect(second.outcome).toMatchObject({ ok: false, error: { message: "The host has no more." } });
  });
});
