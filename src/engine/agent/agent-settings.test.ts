import { describe, expect, it } from "vitest";
import { agentSettings } from "./agent-settings.ts";

describe("agent settings", () => {
  it("have the defaults of the specification", () => {
    expect(agentSettings.parse({})).toMatchObject({
      systemPrompt: "You are a helpful AI assistant.",
      userMessage: "{{json.message}}",
      maxIterations: 10,
      toolChoice: "auto",
      outputFormat: "text",
      outputSchema: null,
      sessionId: "",
      timeoutMs: 300_000,
      onError: "fail",
      retries: 3,
      onIterationLimit: "answer",
      toolConcurrency: 4,
      rememberToolCalls: "compact",
      maxTotalTokens: null,
      maxCostUsd: null,
      repeatedCallLimit: 3,
      planning: false,
      reflection: false,
      reflectionFrequency: null,
      autoIterate: false,
      maxRounds: 3,
      scratchpad: false,
      returnIntermediateSteps: false,
    });
  });

  const outside: [string, unknown][] = [
    ["maxIterations", 0],
    ["maxIterations", 51],
    ["toolChoice", "always"],
    ["outputFormat", "xml"],
    ["retries", 6],
    ["retries", -1],
    ["toolConcurrency", 0],
    ["toolConcurrency", 17],
    ["rememberToolCalls", "some"],
    ["maxTotalTokens", 0],
    ["maxCostUsd", 0],
    ["maxRounds", 21],
    ["reflectionFrequency", 0],
    ["timeoutMs", 0],
  ];
  for (const [name, value] of outside)
    it(`refuse ${name} ${String(value)}`, () => {
      expect(agentSettings.safeParse({ [name]: value }).success).toBe(false);
    });

  const inside: [string, unknown][] = [
    ["maxIterations", 50],
    ["retries", 0],
    ["retries", 5],
    ["toolConcurrency", 16],
    ["maxRounds", 20],
    ["maxTotalTokens", 1],
    ["maxCostUsd", 0.01],
    ["outputSchema", { type: "object", required: ["a"] }],
  ];
  for (const [name, value] of inside)
    it(`take ${name} ${JSON.stringify(value)}`, () => {
      expect(agentSettings.parse({ [name]: value })).toMatchObject({ [name]: value });
    });
});
