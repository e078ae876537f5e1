import { expect, it } from "vitest";
import { clientSnippets } from "./client-snippets.ts";

it("every client is told the address and how the key is sent, in the form that it reads", () => {
  const url = "http://127.0.0.1:4700/mcp/answers";
  for (const { value, text } of clientSnippets("answers", url)) {
    expect(text).toContain(url);
    expect(text).toMatch(/Authorization[":]/);
    if (value !== "command") expect(JSON.stringify(JSON.parse(text))).toContain('"answers":{');
  }
});
