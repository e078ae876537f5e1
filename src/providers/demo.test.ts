import { describe, expect, it } from "vitest";
import { runAgent } from "../engine/agent/run-agent.ts";
import { type AgentSettings, agentSettings } from "../engine/agent/agent-settings.ts";
import type { Memory } from "../engine/memory/memory.ts";
import type { Tool } from "../engine/tool/tool.ts";
import type { Json } from "../engine/json.ts";
import type { RunEventBody } from "../engine/run/events.ts";
import { newRunScope } from "../engine/run/run-scope.ts";
import { testMemory, testTool } from "../engine/testing/run-scripted-agent.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { calculate } from "../nodes/tools/calculate.ts";
import { demoProvider } from "./demo.ts";
import { findArithmetic } from "./demo/arithmetic.ts";

const text = { type: "string" };
const calculator: Tool = {
  ...testTool("calculator"),
  parameters: { type: "object", properties: { expression: text }, required: ["expression"] },
  execute(input) {
    const result = calculate(String(input["expression"]));
    return Promise.resolve(result.ok ? { ok: true, output: result.value } : { ok: false, error: result });
  },
};
const http = testTool("http_request", (input) => ({ ok: true, output: { status: 200, body: input["url"] ?? "" } }), {
  parameters: { type: "object", properties: { url: text }, required: ["url"] },
});
const knowledge = testTool("knowledge_base", "Cats purr.", {
  parameters: { type: "object", properties: { query: text }, required: ["query"] },
});

interface Conversation {
  tools?: Tool[];
  memory?: Memory;
  settings?: Partial<AgentSettings>;
}

async function ask(userMessage: string, { tools = [], memory, settings }: Conversation = {}) {
  const host = testHost();
  const events: RunEventBody[] = [];
  const config = demoProvider.config.parse({});
  const outcome = await runAgent({
    settings: agentSettings.parse({ userMessage, ...settings }),
    nodeId: "agent",
    model: {
      value: demoProvider.create({ ...config, model: "demo" }, { host, credential: "", nodeId: "m" }),
      nodeId: "m",
      edgeId: "e",
    },
    ...(memory ? { memory: { value: memory, nodeId: "memory", edgeId: "me" } } : {}),
    tools: [{ value: { tools }, nodeId: "t", edgeId: "te" }],
    host,
    signal: new AbortController().signal,
    scope: newRunScope(),
    depth: 0,
    emit: (event) => void events.push(event),
    emitWithin: (_callId, event) => void events.push(event),
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { response: String(outcome.output.response), output: outcome.output, events, host };
}

describe("demo model", () => {
  it("greets, streams word by word and costs nothing", async () => {
    const { response, events, output } = await ask("Good morning");
    expect(response).toBe("Hello, nice to hear from you. I can remember what you tell me.");
    const deltas = events.filter((event) => event.type === "text-delta");
    expect(deltas.length).toBe(response.split(" ").length);
    expect(deltas.map((event) => event.text).join("")).toBe(response);
    expect(output.metadata).toMatchObject({ costUsd: 0, finishReason: "completed" });
  });

  it("gives the same answer to the same conversation", async () => {
    expect((await ask("What is 2 + 2?", { tools: [calculator] })).response).toBe(
      (await ask("What is 2 + 2?", { tools: [calculator] })).response,
    );
  });

  it("gives arithmetic to the calculator and answers with the result", async () => {
    const { response } = await ask("What is 12 * (3 + 4)?", { tools: [calculator, http] });
    expect(response).toBe("12 * (3 + 4) is 84.");
  });

  it("repeats a calculation as the person has put it, and else as it was calculated", async () => {
    const said = async (question: string) => (await ask(question, { tools: [calculator] })).response;
    expect(await said("What is 12.5% of 480?")).toBe("12.5% of 480 is 60.");
    expect(await said("Please tell me what's 6 times 7.")).toBe("6 times 7 is 42.");
    expect(await said("What is 12.5% of 480, and who are you?")).toBe("12.5% of 480 is 60.");
    expect(await said("I have 3 + 4 cats, how many is that?")).toBe("3 + 4 is 7.");
  });

  it("says what it can do with the tools it has", async () => {
    expect((await ask("What can you help me with?", { tools: [calculator, http] })).response).toBe(
      "I can work out a calculation such as 12.5% of 480, read a web address and remember what you tell me.",
    );
  });

  it("gives a URL to the HTTP tool", async () => {
    const { response } = await ask("Please read https://example.com/weather?city=Oslo.", { tools: [calculator, http] });
    expect(http.inputs.at(-1)).toEqual({ url: "https://example.com/weather?city=Oslo" });
    expect(response).toContain("https://example.com/weather?city=Oslo");
  });

  it("calls several fitting tools in one turn", async () => {
    const { events } = await ask("What is 6 × 7, and what says http://127.0.0.1:8080/a?", {
      tools: [calculator, http],
    });
    const order = events.filter((event) => event.type === "tool-call-start" || event.type === "iteration-end");
    expect(order.map((event) => event.type)).toEqual([
      "tool-call-start",
      "tool-call-start",
      "iteration-end",
      "iteration-end",
    ]);
  });

  it("asks a knowledge base otherwise, but not about the conversation", async () => {
    const { response } = await ask("Why do cats purr?", { tools: [calculator, knowledge] });
    expect(knowledge.inputs).toEqual([{ query: "Why do cats purr?" }]);
    expect(response).toContain("Cats purr.");
    await ask("Hello there", { tools: [knowledge] });
    expect(knowledge.inputs).toHaveLength(1);
  });

  it("quotes the best hit of a knowledge base with its document, or says that there is none", async () => {
    const search = (results: Json) =>
      testTool("knowledge_base_search", () => ({ ok: true, output: { collection: "Handbook", results } }), {
        parameters: knowledge.parameters,
      });
    const hit = { content: "Cats purr.\nDogs do not.", score: 0.9, metadata: { document: "pets.md", heading: "Cats" } };
    const found = await ask("Why do cats purr?", { tools: [search([hit, { ...hit, content: "Second" }])] });
    expect(found.response).toContain("pets.md › Cats says:\n\n> Cats purr.\n> Dogs do not.");
    expect(found.response).not.toContain("Second");
    const nothing = await ask("Why do cats purr?", { tools: [search([])] });
    expect(nothing.response).toContain("I searched Handbook and found nothing about that.");
  });

  it("calls a tool that is named, and any tool when one is required", async () => {
    const lookup = testTool("order_lookup", "found", {
      parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
    });
    await ask("Use order lookup for 1234 please", { tools: [lookup] });
    await ask("Good day", { tools: [lookup], settings: { toolChoice: "required" } });
    expect(lookup.inputs).toEqual([{ number: 1234 }, { number: 1 }]);
  });

  it("remembers a name and earlier messages by the memory alone", async () => {
    const memory = testMemory();
    await ask("My name is Ada", { memory });
    expect((await ask("What is my name?", { memory })).response).toContain("Ada");
    expect((await ask("What did I ask before?", { memory })).response).toContain("What is my name?");
    expect((await ask("What is my name?")).response).not.toContain("Ada");
    expect((await ask("Something else", { memory })).response).toContain("My name is Ada");
  });

  it("tells of a failed tool", async () => {
    const broken = testTool("http_request", () => ({ ok: false, error: { message: "Status 500." } }), {
      parameters: http.parameters,
    });
    expect((await ask("Read http://x.test/", { tools: [broken] })).response).toContain("failed");
  });

  it("serves plan, reflection, rounds and JSON", async () => {
    const settings = {
      planning: true,
      reflection: true,
      reflectionFrequency: 1,
      outputFormat: "full" as const,
    };
    const { output } = await ask("What is 1 + 1?", { tools: [calculator], settings });
    expect(output).toMatchObject({ plan: expect.stringContaining("1. "), reflections: [expect.any(String)] });
    const rounds = await ask("Write a poem", { settings: { autoIterate: true } });
    expect(rounds.output.metadata).toMatchObject({ rounds: 2, finishReason: "completed" });
    const outputSchema = {
      type: "object",
      properties: { answer: text, score: { type: "integer", minimum: 3 }, tags: { type: "array", items: text } },
      required: ["answer", "score", "tags"],
    };
    const json = await ask("Hello", { settings: { outputFormat: "json", outputSchema } });
    expect(json.output.response).toMatchObject({ score: 3, answer: expect.stringContaining("Hello") });
  });

  it("answers at the iteration limit", async () => {
    const { response } = await ask("What is 1 + 1?", { tools: [calculator], settings: { maxIterations: 1 } });
    expect(response).toContain("2");
  });

  it("refuses a model name that it does not have", async () => {
    const config = demoProvider.config.parse({});
    const create = () =>
      demoProvider.create({ ...config, model: "gpt-4o" }, { host: testHost(), credential: "", nodeId: "m" });
    expect(create).toThrow('no model named "gpt-4o"');
  });
});

describe("findArithmetic", () => {
  const found: [string, string][] = [
    ["What is 2+2?", "2+2"],
    ["compute 3 plus 4", "3 + 4"],
    ["12 times 8 please", "12 * 8"],
    ["(1 + 2) * 3 = ?", "(1 + 2) * 3"],
    ["15% of 80", "15 / 100 * 80"],
    ["the square root of 144", "sqrt(144)"],
    ["2^10", "2^10"],
    ["1,250 * 4", "1250 * 4"],
    ["6 × 7", "6 * 7"],
    ["-5 + 3", "-5 + 3"],
  ];
  for (const [message, expression] of found)
    it(`finds ${expression} in “${message}”`, () => {
      expect(findArithmetic(message)).toBe(expression);
      expect(calculate(findArithmetic(message) ?? "").ok).toBe(true);
    });

  for (const message of ["Hello", "in 2024-05-01", "see https://a.test/1-2/3-4", "I have 3 cats", "covid"])
    it(`finds none in “${message}”`, () => {
      expect(findArithmetic(message)).toBeUndefined();
    });
});
