import { describe, expect, it } from "vitest";
import type { JsonObject } from "../engine/json.ts";
import { assistantMessage, type Message, userMessage } from "../engine/model/message.ts";
import { buildWorkflow } from "../engine/testing/build-workflow.ts";
import { runToEnd } from "../engine/testing/run-to-end.ts";
import { startNode } from "../engine/testing/sample-nodes.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { createBrowserModel } from "../host/browser-model.ts";
import { aiAgent } from "../nodes/agent/ai-agent.ts";
import { modelNode } from "../nodes/models/model-node.ts";
import { calculatorTool } from "../nodes/tools/calculator-tool.ts";
import { browserProvider } from "./browser.ts";
import { calculator } from "./testing/calculator.ts";
import { promptApi, type PromptApiScript } from "./testing/prompt-api.ts";
import { collect, modelRequest, summary } from "./testing/replay.ts";

function modelOver(scope: object, config: JsonObject = {}) {
  const host = testHost({ browserModel: () => Promise.resolve(createBrowserModel(scope)) });
  const settings = { ...browserProvider.config.parse(config), model: "built-in" };
  return browserProvider.create(settings, { host, credential: "", nodeId: "model" });
}

async function ask(script: PromptApiScript, messages: Message[] = [userMessage("Hello")], config: JsonObject = {}) {
  const { scope, recorded } = promptApi(script);
  const events = await collect(modelOver(scope, config), modelRequest({ messages }));
  return { events, recorded, ...summary(events) };
}

const english = [{ type: "text", languages: ["en"] }];

describe("the browser's model", () => {
  it("streams the answer, counts its tokens and lets go of the session", async () => {
    const { text, last, recorded } = await ask({});
    expect(text).toBe("Hello");
    expect(last).toMatchObject({
      type: "finish",
      finishReason: "stop",
      message: { parts: [{ type: "text", text: "Hello" }] },
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    expect(recorded.availability).toEqual([{ expectedInputs: english, expectedOutputs: english }]);
    expect(recorded.create[0]).toMatchObject({ expectedInputs: english, expectedOutputs: english });
    expect(recorded.destroyed).toBe(1);
  });

  it("gives the conversation as initial prompts and asks the last question", async () => {
    const { recorded } = await ask({}, [
      { role: "system", text: "Be brief." },
      userMessage("One"),
      assistantMessage("1"),
      { role: "tool", callId: "a", toolName: "clock", ok: true, text: "12:00" },
      userMessage("What time was it?"),
    ]);
    expect(recorded.create[0]?.["initialPrompts"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "One" },
      { role: "assistant", content: "1" },
    ]);
    expect(recorded.prompt[0]?.input).toBe("Result of the tool clock:\n12:00\n\nWhat time was it?");
  });

  it("asks for JSON by a constraint on the answer", async () => {
    const { scope, recorded } = promptApi();
    const schema = { type: "object", properties: { city: { type: "string" } } };
    await collect(modelOver(scope), modelRequest({ responseFormat: { type: "json", schema } }));
    expect(recorded.prompt[0]?.options).toMatchObject({ responseConstraint: schema });
  });

  it("says how far the download is", async () => {
    const { events, warnings, text } = await ask({ state: "downloadable", downloads: [0, 0.31, 0.32, 0.99, 1] });
    expect(warnings).toEqual([expect.stringContaining("downloads its language model first")]);
    const lines = events.flatMap((event) => (event.type === "progress" ? [event.message] : []));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/: \d+ % downloaded$/);
    expect(new Set(lines).size).toBe(lines.length);
    expect(text).toBe("Hello");
  });

  it("says nothing of a download when the model is there", async () => {
    const { events } = await ask({ downloads: [0, 1] });
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "text-delta", "finish"]);
  });

  it("gives the whole answer at once without streaming", async () => {
    const { events } = await ask({}, [userMessage("Hello")], { streaming: false });
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "finish"]);
  });

  it("passes sampling on where the page may choose it, and warns where not", async () => {
    const chosen = { temperature: 0.2, topK: 3 };
    const heeded = await ask({ sampling: true }, [userMessage("Hello")], chosen);
    expect(heeded.recorded.create[0]).toMatchObject(chosen);
    expect(heeded.warnings).toEqual([]);
    const left = await ask({}, [userMessage("Hello")], chosen);
    expect(left.recorded.create[0]).not.toHaveProperty("temperature");
    expect(left.warnings).toEqual([expect.stringContaining("temperature or top K")]);
    const half = await ask({ sampling: true }, [userMessage("Hello")], { temperature: 0.2 });
    expect(half.recorded.create[0]).not.toHaveProperty("temperature");
    expect(half.warnings).toEqual([expect.stringContaining("only together")]);
  });

  it("warns of tools and images instead of dropping them in silence", async () => {
    const { scope } = promptApi();
    const image = { type: "image" as const, url: "data:image/png;base64,AA==" };
    const messages: Message[] = [{ role: "user", parts: [{ type: "text", text: "Look" }, image] }];
    const { warnings } = summary(await collect(modelOver(scope), modelRequest({ messages, tools: [calculator] })));
    expect(warnings).toEqual([expect.stringContaining("tools"), expect.stringContaining("Images")]);
  });

  it.each([
    ["NotAllowedError", "invalid_config", false],
    ["NotSupportedError", "invalid_config", false],
    ["NetworkError", "model_error", true],
    ["SomethingNew", "model_error", true],
  ])("names %s when no session opens", async (name, code, retryable) => {
    const { last } = await ask({ createError: new DOMException("The browser's words.", name) });
    expect(last).toMatchObject({ type: "error", error: { code, retryable } });
    expect(last?.type === "error" && last.error.message).toContain("The browser's words.");
  });

  it.each([
    ["QuotaExceededError", "context_length"],
    ["NotReadableError", "content_filter"],
    ["InvalidStateError", "model_error"],
  ])("S52 keeps the text before %s and lets go of the session", async (name, code) => {
    const { text, last, recorded } = await ask({ promptError: new DOMException("Broke off.", name) });
    expect(text).toBe("Hello");
    expect(last).toMatchObject({ type: "error", error: { code } });
    expect(recorded.destroyed).toBe(1);
  });

  it("S56 stops with the caller", async () => {
    const { scope, recorded } = promptApi({ pieces: ["one ", "two ", "three"] });
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const event of modelOver(scope).stream(modelRequest({ signal: controller.signal }))) {
      seen.push(event.type === "error" ? event.error.code : event.type);
      controller.abort();
    }
    expect(seen).toEqual(["text-delta", "cancelled"]);
    expect(recorded.destroyed).toBe(1);
  });
});

describe("without a model in the browser", () => {
  it.each([
    ["a browser without one", {}, "This browser has no built-in language model."],
    ["another thing of that name", { LanguageModel: { prompt: true } }, "This browser has no built-in language model."],
    ["one that cannot be used", promptApi({ state: "unavailable" }).scope, 'for the language "en" on this device'],
  ])("says so for %s", async (_title, scope, words) => {
    const events = await collect(modelOver(scope));
    expect(events).toMatchObject([{ type: "error", error: { code: "invalid_config", retryable: false } }]);
    expect(events[0]?.type === "error" && events[0].error.message).toContain(words);
  });

  it("says so where no browser runs the workflow", async () => {
    const settings = { ...browserProvider.config.parse({}), model: "built-in" };
    const model = browserProvider.create(settings, { host: testHost(), credential: "", nodeId: "model" });
    expect(await collect(model)).toMatchObject([
      { type: "error", error: { code: "invalid_config", message: expect.stringContaining("No browser runs this") } },
    ]);
  });
});

describe("an agent on the browser's model", () => {
  it("answers, logs the download at the model and says that its tools stay unused", async () => {
    const document = buildWorkflow({
      nodes: {
        start: ["start"],
        agent: ["ai-agent"],
        model: ["browser-model"],
        calculator: ["calculator-tool"],
      },
      edges: ["start.main -> agent.main", "model.model -> agent.model", "calculator.tool -> agent.tools"],
    });
    const { scope } = promptApi({ state: "downloadable", downloads: [0.5, 1] });
    const { events, end } = await runToEnd(document, {
      registry: {
        start: startNode,
        "ai-agent": aiAgent,
        "browser-model": modelNode(browserProvider),
        "calculator-tool": calculatorTool,
      },
      host: testHost({ browserModel: () => Promise.resolve(createBrowserModel(scope)) }),
      input: { message: "Hi" },
    });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Hello" }, costUsd: 0 });
    const said = events.flatMap((event) =>
      event.type === "warning" || event.type === "log" ? [`${event.nodeId}: ${event.message}`] : [],
    );
    expect(said).toContainEqual(expect.stringMatching(/^model: .*downloads its language model/));
    expect(said).toContainEqual(expect.stringMatching(/^model: .* % downloaded$/));
    expect(said).toContainEqual(expect.stringMatching(/^agent: .*cannot call tools/));
  });
});
