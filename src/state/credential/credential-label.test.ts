import { expect, it } from "vitest";
import { credentialLabel } from "./credential-label.ts";

const stored = { id: "1", settings: {}, updatedAt: "" };

it("tells credentials of one name apart by vendor, host and the end of the secret", () => {
  const openai = { ...stored, name: "OpenAI", type: "openai", lastFour: "ab12", allowedHosts: ["api.openai.com"] };
  expect(credentialLabel(openai)).toBe("OpenAI ····ab12 · api.openai.com");
  expect(credentialLabel({ ...openai, name: "Work" })).toBe("Work ····ab12 · OpenAI · api.openai.com");
  const local = {
    ...openai,
    name: "Ollama",
    type: "openai-compatible",
    lastFour: "",
    allowedHosts: ["127.0.0.1:11434"],
  };
  expect(credentialLabel(local)).toBe("Ollama · OpenAI-compatible server · 127.0.0.1:11434");
  const web = { ...openai, name: "Shop", type: "http-bearer", allowedHosts: ["a.example", "b.example", "c.example"] };
  expect(credentialLabel(web)).toBe("Shop ····ab12 · HTTP bearer token · a.example and 2 more");
});
