import { describe, expect, it } from "vitest";
import { secretValues } from "./credential-secrets.ts";
import { type Credential, parseCredential } from "./credential-types.ts";
import { createRedactor } from "./redact.ts";

function credential(type: Credential["type"], fields: Record<string, string>): Credential {
  const parsed = parseCredential(type, fields);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}

const local = (apiKey: string) => credential("openai-compatible", { baseUrl: "http://localhost:11434/v1", apiKey });
const seen = (one: Credential, text: string) => createRedactor(secretValues(one)).text(text);

describe("a key that is a placeholder", () => {
  it.each(["ollama", "Ollama", "lm-studio", "EMPTY", "empty", "none", "None", "test", "sk-no-key-required"])(
    "leaves what a local server says of %s as it is",
    (key) => {
      const answer = `What is ${key}? The model ${key}:8b, the file ${key}.json, and ${btoa(`the word ${key} in base64`)}.`;
      expect(seen(local(key), answer)).toBe(answer);
    },
  );

  it.each([
    "ollama2",
    "my-ollama",
    "ollama ollama",
    "tests",
    "test-key-1",
    "sk-no-key-required-1",
    "EMPTY_",
    "hollama",
  ])("is none where it is another one: S43 %s is taken out", (key) => {
    expect(seen(local(key), `It says ${key}.`)).toBe("It says [redacted].");
  });

  it.each<[string, Credential]>([
    ["OpenAI", credential("openai", { apiKey: "ollama" })],
    ["Anthropic", credential("anthropic", { apiKey: "ollama" })],
    ["Gemini", credential("gemini", { apiKey: "ollama" })],
    ["an HTTP bearer", credential("http-bearer", { token: "ollama" })],
    ["an HTTP header", credential("http-header", { name: "X-Key", value: "ollama" })],
    ["Redis", credential("redis", { host: "localhost", port: "6379", password: "ollama" })],
  ])("is none of %s: S43 it is taken out", (_title, one) => {
    expect(seen(one, "It says ollama.")).toBe("It says [redacted].");
  });
});
