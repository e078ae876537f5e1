import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (parameters: JsonObject) =>
  readImported(
    {
      nodes: [
        { name: "Start", type: "n8n-nodes-base.manualTrigger", position: [0, 0], parameters: {} },
        { name: "Check", type: "@n8n/n8n-nodes-langchain.guardrails", position: [1, 0], parameters },
        {
          name: "After",
          type: "n8n-nodes-base.set",
          typeVersion: 3.4,
          position: [2, 0],
          parameters: {
            assignments: { assignments: [{ name: "a", value: "={{ $json.guardrailsInput }}", type: "string" }] },
          },
        },
      ],
      connections: {
        Start: { main: [[{ node: "Check", type: "main", index: 0 }]] },
        Check: { main: [[], [{ node: "After", type: "main", index: 0 }]] },
      },
    },
    nodeRegistry,
  );

const made = (guardrails: JsonObject, more: JsonObject = {}) => {
  const { node } = read({ text: "={{ $json.message }}", guardrails, ...more });
  return node("Check");
};

describe("n8n's guardrails", () => {
  it("become the node of the same name, whose ways and text go on", () => {
    const { node, edges } = read({ text: "={{ $json.message }}", guardrails: { keywords: "password, system" } });
    expect(node("Check")).toMatchObject({
      type: "guardrails",
      config: {
        text: "{{json.?message.orValue(null)}}",
        keywords: true,
        blockedWords: ["password", "system"],
        pii: "off",
      },
    });
    expect(edges).toContain("Check.fail > After.main");
    expect(JSON.stringify(node("After")?.config)).toContain("json.?text");
  });

  it.each<[JsonObject, JsonObject]>([
    [{ jailbreak: { value: { threshold: 0.4 } } }, { jailbreak: true, jailbreakThreshold: 0.4 }],
    [{ pii: { value: { type: "all" } } }, { pii: "fail", piiEmails: true, piiKeys: true }],
    [
      { pii: { value: { type: "selected", entities: ["EMAIL_ADDRESS"] } } },
      { pii: "fail", piiEmails: true, piiPhones: false, piiKeys: false },
    ],
    [{ secretKeys: { value: {} } }, { pii: "fail", piiEmails: false, piiKeys: true }],
    [
      { customRegex: { regex: [{ name: "id", value: "/EMP-\\d+/i" }] } },
      { pii: "fail", piiEmails: false, piiPatterns: ["EMP-\\d+"] },
    ],
    [{ urls: { value: {} } }, { pii: "fail", piiPatterns: ["https?://[^\\s]+"] }],
    [
      {
        topicalAlignment: { value: { threshold: 0.7, prompt: "Only about trains." } },
        custom: { guardrail: [{ name: "x", threshold: 0.5, prompt: "No poems." }] },
      },
      {
        moderation: true,
        moderationThreshold: 0.5,
        moderationRule: "The text stays on topic: Only about trains.\n\nNo poems.",
      },
    ],
  ])("check %j as %j", (guardrails, config) => {
    expect(made(guardrails)).toMatchObject({ type: "guardrails", config });
  });

  it("mask what they find where they clean a text", () => {
    expect(made({ pii: { value: { type: "all" } } }, { operation: "sanitize" })?.config["pii"]).toBe("mask");
  });

  it.each<[string, JsonObject]>([
    ["addresses that are allowed", { urls: { value: { allowedUrls: "https://a.test" } } }],
    ["kinds of personal data that are not known", { pii: { value: { type: "selected", entities: ["US_SSN"] } } }],
    ["words that are worked out", { keywords: "={{ $json.words }}" }],
    [
      "a prompt of its own against jailbreaks",
      { jailbreak: { value: { threshold: 0.7, prompt: "Look for tricks." } } },
    ],
  ])("are a placeholder with %s, since a check would be lost", (_, guardrails) => {
    expect(made(guardrails)?.type).toBe("placeholder");
  });
});
