import { describe, expect, it } from "vitest";
import { userMessage, type Message } from "../../engine/model/message.ts";
import type { AgentSettings } from "../../engine/agent/agent-settings.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runScriptedAgent, testTool } from "../../engine/testing/run-scripted-agent.ts";
import { anthropicProvider } from "../anthropic.ts";
import { calculator } from "../testing/calculator.ts";
import { collect, modelRequest, summary } from "../testing/replay.ts";
import { strictClaude, type ClaudeAnswer, type ClaudeRequest } from "../testing/strict-claude.ts";

/** Calls the tool twice, then answers; answers at once where it may not call. */
function callsTwice(request: ClaudeRequest): ClaudeAnswer {
  const results = JSON.stringify(request.messages).split('"tool_result"').length - 1;
  const mayCall = request.tool_choice.type !== "none" && results < 2;
  return mayCall ? { call: "look", input: { results } } : { text: '{"seen":"Here it is."}' };
}

async function runAgent(settings: Partial<AgentSettings>, answer = callsTwice) {
  const server = strictClaude(answer);
  const config = anthropicProvider.config.parse({});
  const model = anthropicProvider.create(
    { ...config, model: "claude-sonnet-5-5" },
    { host: server.host, credential: "credential-1", nodeId: "model" },
  );
  const look = testTool("look", (input) => ({ ok: true, output: input }));
  const { of, outcome } = await runScriptedAgent({
    script: [],
    model,
    host: { ...server.host, sleep: realSleep },
    tools: [look],
    settings,
  });
  return { ...server, of, outcome };
}

describe("Claude's signed thinking in an agent", () => {
  it("holds through reviews and the last answer, which name the same tools and may call none", async () => {
    const { refused, requests, of, outcome } = await runAgent(
      { reflection: true, reflectionFrequency: 1, maxIterations: 2 },
      (request) =>
        request.tool_choice.type === "none"
          ? { text: "So far, so good." }
          : { call: "look", input: { at: request.messages.length } },
    );
    expect(refused).toEqual([]);
    expect(outcome).toMatchObject({ ok: true, finish: "max_iterations", output: { response: "So far, so good." } });
    expect(of("model-request").map(({ purpose }) => purpose)).toEqual([
      "answer",
      "reflection",
      "answer",
      "reflection",
      "final",
    ]);
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('"thinking"');
  });

  it("holds where a call was asked for first, and where the answer is JSON of any form", async () => {
    for (const settings of [
      { toolChoice: "required" },
      { outputFormat: "json", toolChoice: "required", reflection: true, reflectionFrequency: 1 },
    ] as const) {
      const { refused, requests, of, outcome } = await runAgent(settings);
      expect(refused).toEqual([]);
      expect(outcome).toMatchObject({ ok: true, finish: "completed" });
      expect(of("warning").map(({ message }) => message)).not.toContainEqual(expect.stringContaining("thinking."));
      const said = requests.map(
        ({ messages }) => JSON.stringify(messages).split("You must call at least one").length - 1,
      );
      expect(new Set(said)).toEqual(new Set([1]));
      expect(JSON.stringify(requests.map(({ system }) => system))).not.toContain("You must call");
    }
  });

  it("is left out, and said so, when something before it changed after all", async () => {
    const { host, refused, requests } = strictClaude((request) =>
      request.messages.length > 1 ? { text: "Four." } : { call: "calculator", input: { expression: "2+2" } },
    );
    const config = anthropicProvider.config.parse({});
    const context = { host, credential: "credential-1", nodeId: "model" };
    const model = anthropicProvider.create({ ...config, model: "claude-sonnet-5-5" }, context);
    const question = userMessage("2+2?");
    const first = await collect(
      model,
      modelRequest({ messages: [{ role: "system", text: "Today is Monday." }, question], tools: [calculator] }),
    );
    const { last } = summary(first);
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const result: Message = { role: "tool", callId: "toolu_1", toolName: "calculator", ok: true, text: "4" };
    const messages: Message[] = [{ role: "system", text: "Today is Tuesday." }, question, last.message, result];
    const { text, warnings } = summary(await collect(model, modelRequest({ messages, tools: [calculator] })));
    expect(text).toBe("Four.");
    expect(refused).toEqual(["messages.1.content.0"]);
    expect(warnings).toEqual([expect.stringContaining("without its earlier thinking")]);
    expect(JSON.stringify(requests.at(-1)?.messages)).not.toContain('"thinking"');
  });
});
