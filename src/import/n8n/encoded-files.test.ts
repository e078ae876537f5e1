import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { nodeRuns } from "../testing/sent-with-file.ts";

const openSandbox = loadOnce(() => loadQuickJs(128 * 1024 * 1024));

const { outputOfNode, readWithFile, sentWithFile } = nodeRuns({
  registry: nodeRegistry,
  runCode: async (request) => (await runCode(await openSandbox(), request)).result,
});

const toFile = (parameters: JsonObject, input: JsonObject) =>
  outputOfNode("convertToFile", 1.1, { operation: "toBinary", ...parameters }, input);

describe("n8n’s files as base64", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "a path",
      { sourceProperty: "data[0].b64_json" },
      { data: [{ b64_json: "JVBERi0=" }] },
      { name: "file.pdf", mediaType: "application/pdf" },
    ],
    [
      "a data URL",
      { sourceProperty: "picture", options: { fileName: "={{ $json.name }}.svg" } },
      { name: "cat", picture: "data:image/svg+xml;base64,JVBERi0=" },
      { name: "cat.svg", mediaType: "image/svg+xml" },
    ],
    [
      "a type that is said",
      { sourceProperty: "a", options: { fileName: "a.bin", mimeType: "audio/mpeg" } },
      { a: "JVBERi0=" },
      { name: "a.bin", mediaType: "audio/mpeg" },
    ],
  ])("become a file: %s", async (_, parameters, input, expected) => {
    const { output, textOf } = await toFile(parameters, input);
    const file = isJsonObject(output) && isJsonObject(output.file) ? output.file : {};
    expect(file).toMatchObject(expected);
    expect(textOf(file.$file)).toBe("%PDF-");
  });

  it("become a file of the text itself where it is no base64", async () => {
    const { output, textOf } = await toFile({ sourceProperty: "a", options: { dataIsBase64: false } }, { a: "Zoë" });
    const file = isJsonObject(output) && isJsonObject(output.file) ? output.file : {};
    expect(file).toMatchObject({ name: "file.txt", mediaType: "text/plain" });
    expect(textOf(file.$file)).toBe("Zoë");
  });

  it("fail without the text, with its name", async () => {
    await expect(toFile({ sourceProperty: "b" }, { a: "" })).rejects.toThrow("There is no text in “b”");
  });

  it("are read from a file", async () => {
    const parameters = { operation: "binaryToPropery", destinationKey: "encoded" };
    expect((await sentWithFile("extractFromFile", 1, parameters)).output).toEqual({ encoded: "Ynl0ZXM=" });
  });
});

describe("n8n’s Crypto node", () => {
  it.each<[JsonObject, RegExp]>([
    [{ dataPropertyName: "id" }, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    [{ dataPropertyName: "id", encodingType: "hex", stringLength: 7 }, /^[0-9a-f]{7}$/],
    [{ dataPropertyName: "id", encodingType: "base64", stringLength: 6 }, /^[A-Za-z0-9_]{1,6}$/],
  ])("gives a random value beside the input: %j", async (parameters, value) => {
    const { output } = await outputOfNode("crypto", 1, { action: "generate", ...parameters }, { name: "Ada" });
    expect(output).toEqual({ name: "Ada", id: expect.stringMatching(value) });
  });

  it.each(["hash", "hmac", "sign"])("stays open where it is to %s", (action) => {
    const { node } = readWithFile("crypto", 1, { action, value: "a" });
    expect(node("It")).toMatchObject({ type: "placeholder", config: { instead: expect.stringContaining("hashes") } });
  });
});

describe("n8n’s Execute Workflow", () => {
  it.each<[JsonObject, string]>([
    [
      { workflowId: { __rl: true, mode: "list", value: "x1", cachedResultName: "Send a bill" } },
      "the workflow “Send a bill”",
    ],
    [{ workflowId: "x1" }, "the workflow “x1”"],
    [{ workflowId: "={{ $json.id }}" }, "another workflow"],
    [{ workflowId: "={{ $workflow.id }}", mode: "each" }, "that trigger in a For each"],
  ])("is a placeholder that names the workflow: %j", (parameters, words) => {
    const { node } = readWithFile("executeWorkflow", 1.1, parameters);
    expect(node("It")).toMatchObject({ type: "placeholder", config: { instead: expect.stringContaining(words) } });
  });
});

describe("names with braces in nodes of n8n that work on lists", () => {
  it("are names, and no expressions", async () => {
    const keys = { key: [{ currentKey: "{{ a }}", newKey: "{{ b }}" }] };
    expect((await outputOfNode("renameKeys", 1, { keys }, { "{{ a }}": 1 })).output).toEqual({ "{{ b }}": 1 });
  });
});
