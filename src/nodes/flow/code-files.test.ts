import { describe, expect, it } from "vitest";
import { runCode } from "../../host/sandbox/run-code.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

async function world(maxBytes?: number) {
  const files = fileStore(maxBytes === undefined ? {} : { maxBytes });
  const file = await files.put("a.txt", "text/plain", "Hello");
  let opened = 0;
  const store = {
    ...files,
    open: (...asked: Parameters<typeof files.open>) => {
      opened += 1;
      return files.open(...asked);
    },
  };
  const host = testHost({
    files: store,
    runCode: async (request) => (await runCode(await loadQuickJs(request.memoryBytes), request)).result,
  });
  // The virtual clock would not wait for the sandbox to load.
  return { files, file, host: { ...host, sleep: realSleep }, opened: () => opened };
}

/** What code gives that comes after a file. */
async function coded(code: string, config: JsonObject = {}, maxBytes?: number) {
  const { files, file, host, opened } = await world(maxBytes);
  const document = buildWorkflow({
    nodes: { start: ["manual-trigger"], code: ["code", { code, timeoutMs: 20_000, ...config }] },
    edges: ["start.main -> code.main"],
  });
  const run = await runToEnd(document, { registry: nodeRegistry, host, input: { body: file }, files: [file] });
  return { run, end: run.end, kept: [...files.kept.values()].map((each) => each.file), opened: opened() };
}

describe("code", () => {
  it("reads files of the run, and what it makes and gives is one", async () => {
    const { run, end, kept } = await coded(`
      const made = files.make("up.txt", files.text(json.body).toUpperCase());
      files.make("unused.txt", "x");
      return { made, list: [made], same: json.body };`);
    expect(kept.map(({ name }) => name)).toEqual(["a.txt", "up.txt"]);
    expect(end.output).toEqual({ made: kept[1], list: [kept[1]], same: kept[0] });
    expect(run.of("file-add").map(({ file }) => file)).toEqual([kept[1]]);
    expect(run.of("node-end").at(-1)?.untrusted).toEqual(['the file "a.txt"']);
  });

  it("S105 reads no file whose id it only knows, and makes none by writing an id", async () => {
    const forged = `files.text({ $file: "00000000-0000-4000-9000-000000000002" })`;
    expect((await coded(`return ${forged}`)).end.error?.message).toContain("not a file of this run");
    const { end, kept } = await coded(`files; return { $file: "made-1", name: "x" };`);
    expect(end.output).toEqual({ $file: "made-1", name: "x" });
    expect(kept).toHaveLength(1);
  });

  it("reads nothing for code that names no files", async () => {
    expect((await coded(`return json.body.name`)).opened).toBe(0);
  });

  it("is told of a file that is too large only where it reads it", async () => {
    const config = { memoryMb: 1, inputs: {} };
    const { files, host } = await world();
    const file = await files.put("large.bin", "", "x".repeat(2_000_000));
    const outputOf = async (code: string) => {
      const document = buildWorkflow({
        nodes: { start: ["manual-trigger"], code: ["code", { code, timeoutMs: 20_000, ...config }] },
        edges: ["start.main -> code.main"],
      });
      const run = await runToEnd(document, { registry: nodeRegistry, host, input: { file }, files: [file] });
      return run.end.error?.message ?? run.end.output;
    };
    expect(await outputOf(`const { files } = json; return files ?? json.file.name;`)).toBe("large.bin");
    expect(await outputOf(`return files.text(json.file);`)).toContain("does not fit into the memory limit");
  });

  it("fails with the store's words where there is no room for what it made", async () => {
    const { end } = await coded(`return files.make("b.txt", "0123456789")`, {}, 5);
    expect(end.error?.message).toContain('"b.txt" is larger than');
  });

  it("as a tool reads and makes files, which the model is given", async () => {
    const { file, host } = await world();
    const model = scriptedModel([{ calls: [{ name: "run_code", arguments: {} }] }, { text: "Done." }], {
      capabilities: { vision: true },
    });
    const code = `return files.make("b.png", files.text(source) + "!", "image/png");`;
    const document = buildWorkflow({
      nodes: {
        start: ["manual-trigger"],
        agent: ["ai-agent", { userMessage: "Go", files: [] }],
        model: ["m"],
        tool: ["code-tool", { code, timeoutMs: 20_000, inputs: { source: "{{json.body}}" } }],
      },
      edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
    });
    const registry = { ...nodeRegistry, m: modelNodeOf("m", model) };
    const run = await runToEnd(document, { registry, host, input: { body: file }, files: [file] });
    expect(run.end.outcome).toBe("completed");
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      untrusted: true,
      images: [`data:image/png;base64,${btoa("Hello!")}`],
    });
  });
});

describe("an agent", () => {
  it("S105 is given the files of its input, and a warning for what only looks like one", async () => {
    const { files, file, host } = await world();
    const secret = await files.put("secret.png", "image/png", "secret");
    const picture = await files.put("b.png", "image/png", "picture");
    const model = scriptedModel([{ text: "Done." }], { capabilities: { vision: true } });
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], agent: ["ai-agent", { userMessage: "Go" }], model: ["m"] },
      edges: ["start.main -> agent.main", "model.model -> agent.model"],
    });
    const registry = { ...nodeRegistry, m: modelNodeOf("m", model) };
    const input = { deep: [{ picture }], forged: secret };
    const run = await runToEnd(document, { registry, host, input, files: [file, picture] });
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain(btoa("picture"));
    expect(sent).not.toContain(btoa("secret"));
    expect(run.of("warning")).toMatchObject([{ message: expect.stringContaining("1 reference looks like a file") }]);
  });
});
