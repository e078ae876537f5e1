import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tmpdir } from "node:os";
import { readSource } from "./models/source-models.ts";
import { toListedModels } from "../src/engine/models/to-listed-models.ts";

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-models-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const base = `name = "One"
release_date = "2026-05-01"
tool_call = true
[limit]
context = 400_000
input = 272_000
output = 128_000
[modalities]
input = ["text", "image"]
output = ["text"]
`;

describe("reading a copy of models.dev", () => {
  it("reads its folder: what a model says goes before what its base says", () => {
    const folder = folderOf({
      "models/acme/one.toml": base,
      "providers/openai/models/one.toml": `base_model = "acme/one"
base_model_omit = ["limit.input"]
[cost]
input = 1
output = 5
cache_read = 0
[[cost.tiers]]
tier = { size = 200_000 }
input = 2
output = 7.5
[limit]
output = 32_000
`,
      "providers/openai/models/drawing.toml": `name = "Drawing"
[modalities]
input = ["text"]
output = ["image"]
`,
    });
    expect(toListedModels(readSource(folder, ["openai"]))["openai"]).toEqual({
      one: {
        input: 1,
        output: 5,
        long: [200_000, 2, 7.5, 2],
        inputTokens: 400_000,
        outputTokens: 32_000,
        released: "2026-05-01",
        reads: ["image"],
        tools: true,
      },
    });
  });

  it("reads its api.json to the same", () => {
    const model = {
      status: "deprecated",
      cost: { input: 1, output: 5, cache_read: 0.1, context_over_200k: { input: 2, output: 7.5, cache_read: 0.2 } },
      limit: { context: 400_000, output: 32_000 },
      modalities: { input: ["text", "pdf"], output: ["text"] },
    };
    const folder = folderOf({ "api.json": JSON.stringify({ google: { models: { one: model } } }) });
    expect(toListedModels(readSource(join(folder, "api.json"), ["google"]))["gemini"]).toEqual({
      one: {
        input: 1,
        output: 5,
        cached: 0.1,
        long: [200_000, 2, 7.5, 0.2],
        inputTokens: 400_000,
        outputTokens: 32_000,
        reads: ["pdf"],
        deprecated: true,
      },
    });
  });

  it("names the file that it cannot read", () => {
    expect(() => readSource("nowhere", ["openai"])).toThrow(/nowhere is not there/);
    const wrong = folderOf({ "providers/openai/models/one.toml": '[cost]\ninput = "cheap"\noutput = 1\n' });
    expect(() => readSource(wrong, ["openai"])).toThrow(/one\.toml/);
    expect(() => readSource(wrong, ["anthropic"])).toThrow(/anthropic/);
    const list = folderOf({ "api.json": "[]" });
    expect(() => readSource(join(list, "api.json"), ["openai"])).toThrow(/api\.json/);
  });
});
