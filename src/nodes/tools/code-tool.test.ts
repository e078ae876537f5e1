import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { codeTool } from "./code-tool.ts";

const parameters = {
  type: "object",
  properties: { words: { type: "array", items: { type: "string" } }, times: { type: "integer" } },
  required: ["words"],
  additionalProperties: false,
};

/** One agent whose model calls the tool with these arguments and then answers; the code runs in the real sandbox, after `waitMs`. */
async function callCode(config: JsonObject, args: JsonObject, vars: JsonObject = {}, waitMs = 0) {
  const model = scriptedModel([{ calls: [{ name: "run_code", arguments: args }] }, { text: "done" }]);
  const registry = Object.fromEntries(
    [startNode, modelNodeOf("model-node", model), aiAgent, codeTool].map((definition) => [definition.type, definition]),
  );
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["model-node"], code: ["code-tool", config] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "code.tool -> agent.tools"],
  });
  // Loaded beforehand, since the virtual clock does not wait for it.
  const module = await loadQuickJs(32 * 1024 * 1024);
  const host = testHost({
    async runCode(request, signal) {
      if (waitMs > 0) await host.sleep(waitMs, signal);
      return (await runCode(module, request)).result;
    },
  });
  const run = await runToEnd({ ...document, vars }, { registry, host, input: { message: "Go" } });
  const [end] = run.of("tool-call-end");
  const read = model.requests[1]?.messages.at(-1);
  return { run, end, model, read: read ? messageText(read) : "" };
}

describe("code-tool", () => {
  it("gives the model the declared arguments and runs the body over them", async () => {
    const code = "return { text: words.join(' ').repeat(times ?? 1), all: args };";
    const { end, model } = await callCode({ parameters, code }, { words: ["a", "b"], times: 2 });
    expect(model.requests[0]?.tools[0]).toMatchObject({ name: "run_code", parameters });
    expect(end).toMatchObject({
      ok: true,
      output: { text: "a ba b", all: { words: ["a", "b"], times: 2 } },
    });
  });

  it("makes every declared argument a variable: one left out is its default, or undefined", async () => {
    const declared = {
      type: "object",
      properties: { city: { type: "string" }, unit: { type: "string", default: "C" }, note: { type: "string" } },
      required: ["city"],
    };
    const code = "return { city, unit, note: note === undefined ? 'none' : note, args };";
    const { end } = await callCode({ parameters: declared, code }, { city: "Oslo" });
    expect(end).toMatchObject({
      ok: true,
      output: { city: "Oslo", unit: "C", note: "none", args: { city: "Oslo", unit: "C" } },
    });
  });

  it("reads the run's data through its inputs, which the model neither sees nor fills in", async () => {
    const inputs = { message: "{{json.message}}", seen: "{{nodes}}", region: "{{vars.region}}", fixed: [1] };
    const code = "return { message, seen, region, fixed, args };";
    const { end, model } = await callCode({ inputs, code }, {}, { region: "north" });
    expect(model.requests[0]?.tools[0]?.parameters).toMatchObject({ properties: {} });
    expect(end).toMatchObject({
      ok: true,
      output: { message: "Go", seen: { start: { message: "Go" } }, region: "north", fixed: [1], args: {} },
    });
  });

  it("finds a name that is both an argument and an input", () => {
    expect(codeTool.check?.({ parameters, inputs: { times: 1 } }, {})).toMatchObject([
      { field: "inputs", severity: "error", message: '"times" is both an argument and an input.' },
    ]);
    expect(codeTool.check?.({ parameters, inputs: { other: 1 } }, {})).toEqual([]);
  });

  it("S53 tells the model which argument is wrong and does not run the code", async () => {
    const { end, read } = await callCode({ parameters, code: "throw new Error('ran');" }, { words: "one" });
    expect(end?.ok).toBe(false);
    expect(read).toContain('"words"');
    expect(read).not.toContain("ran");
  });

  it("writes the console to the log under the tool's node", async () => {
    const code = "console.log('seen', words.length); console.error('odd'); return words.length;";
    const { run } = await callCode({ parameters, code }, { words: ["x"] });
    const lines = run.of("log").map(({ nodeId, message }) => ({ nodeId, message }));
    expect(lines).toEqual([
      { nodeId: "code", message: expect.stringContaining("seen 1") },
      { nodeId: "code", message: expect.stringContaining("odd") },
    ]);
  });

  it("gives a throw to the model as a failed result, and the run goes on", async () => {
    const { run, read } = await callCode({ code: "throw new Error('no stock');" }, {});
    expect(read).toContain("no stock");
    expect(run.end.outcome).toBe("completed");
  });

  it("S21 stops a loop at the node's time limit", async () => {
    const { read, run } = await callCode({ code: "for (;;) {}", timeoutMs: 50 }, {});
    expect(read).toContain("longer than 50 ms");
    expect(run.end.outcome).toBe("completed");
  });

  it("S21 does not count the wait for the sandbox towards the node's time limit", async () => {
    const { end } = await callCode({ code: "return 1;", timeoutMs: 50 }, {}, {}, 100_000);
    expect(end).toMatchObject({ ok: true, output: 1 });
  });

  it("S22 stops growth at the node's memory limit", async () => {
    const code = "return new Uint8Array(64 * 1024 * 1024).length;";
    const { read } = await callCode({ code, memoryMb: 4 }, {});
    expect(read).toContain("4 MB");
  });

  it("S24 has no way out: no network, no storage, no host", async () => {
    const code =
      "return [typeof fetch, typeof process, typeof Deno, typeof localStorage, typeof postMessage, typeof require];";
    const { end } = await callCode({ code }, {});
    expect(end?.output).toEqual(Array(6).fill("undefined"));
  });

  it("shows its description on its card, or the code's first line while it has none of its own", () => {
    const toolDescription = "Converts currencies.";
    expect(codeTool.describe?.({ toolDescription, code: "return 1;" })).toBe(toolDescription);
    expect(codeTool.describe?.({ toolDescription: " ", code: "return 1;" })).toBe("return 1;");
    expect(codeTool.describe?.({ code: "\n// adds\nreturn a + b;\n" })).toBe("return a + b;");
  });
});
