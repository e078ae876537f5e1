import { expect, it } from "vitest";
import { describeFields } from "../../engine/config/describe-fields.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

async function outputs(type: string, given: readonly JsonObject[]) {
  const fields = describeFields(nodeRegistry[type]!.config);
  const code = fields.find(({ control }) => control === "code")?.codeExample ?? "";
  const limits = { timeoutMs: 20_000, memoryBytes: 32 * 1024 * 1024 };
  const module = await loadQuickJs(limits.memoryBytes);
  const found: Json[] = [];
  for (const args of given) {
    const { result } = await runCode(module, { code, args, ...limits });
    found.push(result.ok ? result.output : result.error);
  }
  return found;
}

it("runs the example of a code node with whatever comes in", async () => {
  const given: Json[] = [{ message: "two words" }, { response: "one two three" }, { other: 1 }, null];
  const inputs = given.map((json) => ({ json }));
  expect(await outputs("code", inputs)).toEqual([
    { message: "two words", words: 2 },
    { response: "one two three", words: 3 },
    { other: 1, words: 0 },
    { words: 0 },
  ]);
});

it("runs the example of a code tool with any arguments, and with none", async () => {
  expect(await outputs("code-tool", [{ city: "Oslo", days: 3 }, {}])).toEqual(["city: Oslo\ndays: 3", ""]);
});
