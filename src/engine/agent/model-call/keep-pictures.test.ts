import { describe, expect, it } from "vitest";
import { fileStore } from "../../in-memory/file-store.ts";
import { dataUrlOf } from "../../model/data-url.ts";
import type { Message } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";

const png = "data:image/png;base64,YWJj";
const vision = { capabilities: { vision: true } };

const warnings = ({ of }: Awaited<ReturnType<typeof runScriptedAgent>>) =>
  of("warning").map(({ message, hint }) => `${message} ${hint}`);

describe("pictures that a model makes", () => {
  it("are files of the run: the log, the memory and the output hold their references alone", async () => {
    const memory = testMemory();
    const run = await runScriptedAgent({ script: [{ text: "A lamp:", image: png }], memory });
    const made = [...run.host.files.kept.values()].map(({ file }) => file);
    expect(made).toMatchObject([{ name: "picture-1.png", mediaType: "image/png", size: 3 }]);
    expect(run.outcome).toMatchObject({ ok: true, output: { response: "A lamp:", files: made } });
    expect(run.of("file-add").map(({ file }) => file)).toEqual(made);
    const said = [
      { type: "text", text: "A lamp:" },
      { type: "made-file", file: made[0] },
    ];
    expect(run.of("model-response")[0]?.message.parts).toEqual(said);
    expect(memory.writes[0]?.messages.at(-1)).toMatchObject({ parts: said });
    expect(JSON.stringify([run.events, run.outcome, memory.writes])).not.toContain("base64");
  });

  it("are shown to the model again, where they stood and with what their vendor wants back", async () => {
    const store = fileStore();
    const file = await store.put("picture-1.png", "image/png", "abc");
    const earlier: Message[] = [
      { role: "user", parts: [{ type: "text", text: "Draw a lamp" }] },
      { role: "assistant", parts: [{ type: "made-file", file, vendor: { thoughtSignature: "s" } }] },
    ];
    const host = testHost({ files: store });
    const again = await runScriptedAgent({
      script: [{ text: "Bluer:", image: png, calls: [{ name: "note", arguments: {} }] }, { text: "Noted." }],
      tools: [testTool("note")],
      host,
      memory: { ...testMemory(earlier), isOwn: true },
      modelOptions: vision,
    });
    const [first, second] = again.model.requests;
    const image = { type: "image", url: png };
    expect(first?.messages[2]).toMatchObject({ parts: [{ ...image, vendor: { thoughtSignature: "s" } }] });
    expect(second?.messages[4]).toMatchObject({ parts: [{ type: "text", text: "Bluer:" }, image, {}] });
    expect(again.of("file-add").map(({ file: { name } }) => name)).toEqual(["picture-1.png", "picture-1.png"]);
    // The answer that came after the picture has none of its own.
    expect(again.outcome).toMatchObject({ output: { response: "Noted.", files: [{ mediaType: "image/png" }] } });
  });

  it("are words for a model that sees none, and S105 for one that is given another's conversation", async () => {
    const store = fileStore();
    const file = await store.put("picture-1.png", "image/png", "abc");
    const earlier: Message[] = [
      { role: "user", parts: [{ type: "text", text: "Draw" }] },
      { role: "assistant", parts: [{ type: "made-file", file }] },
    ];
    const host = testHost({ files: store });
    const script = [{ text: "Hm." }];
    const own = { ...testMemory(earlier), isOwn: true };
    const blind = { capabilities: { vision: false } };
    const unseen = await runScriptedAgent({ script, host, memory: own, modelOptions: blind });
    expect(unseen.model.requests[0]?.messages[2]).toMatchObject({
      parts: [{ text: expect.stringContaining("cannot") }],
    });
    const foreign = await runScriptedAgent({ script, host, memory: testMemory(earlier), modelOptions: vision });
    expect(foreign.model.requests[0]?.messages[2]).toMatchObject({
      parts: [{ text: expect.stringContaining("no longer there") }],
    });
    expect(JSON.stringify(foreign.model.requests)).not.toContain("base64");
  });

  it("are left out where there is no room, with a warning, and the text stays", async () => {
    const host = () => testHost({ files: fileStore({ maxBytes: 1 }) });
    const told = await runScriptedAgent({ script: [{ text: "A lamp:", image: png }], host: host() });
    expect(told.outcome).toMatchObject({ ok: true, output: { response: "A lamp:" } });
    expect(told.outcome).not.toHaveProperty("output.files");
    expect(warnings(told)).toEqual([expect.stringMatching(/^A picture of the answer was left out\. .* Use a smaller/)]);
    const alone = await runScriptedAgent({ script: [{ image: png }], host: host() });
    expect(alone.outcome).toMatchObject({ output: { response: expect.stringMatching(/^\[A picture was left out\./) } });
    expect(alone.model.requests).toHaveLength(1);
    expect(JSON.stringify([told.events, alone.events])).not.toContain("base64");
  });

  it("are left out where the host keeps no files", async () => {
    const host = testHost();
    const { files: _none, ...bare } = host;
    const run = await runScriptedAgent({ script: [{ text: "A lamp:", image: png }], host: bare as typeof host });
    expect(run.outcome).toMatchObject({ ok: true, output: { response: "A lamp:" } });
    expect(warnings(run)).toEqual([expect.stringContaining("Files cannot be kept here.")]);
  });

  it.each([
    ["what is no base64", "data:image/png;base64,%%%"],
    ["no content", "data:image/png;base64,"],
    ["another type", "data:text/html;base64,YWJj"],
    ["a type with parameters", "data:image/png;x=y;base64,YWJj"],
  ])("are left out where they are %s", async (_case, image) => {
    const run = await runScriptedAgent({ script: [{ text: "Here:", image }] });
    expect(run.outcome).toMatchObject({ ok: true, output: { response: "Here:" } });
    expect(warnings(run)).toEqual([expect.stringContaining("no readable picture")]);
    expect(run.host.files.kept.size).toBe(0);
  });

  it.each([
    ["image/png", [0xff, 0xd8, 0xff, 0xe0], "picture-1.jpg", "image/jpeg"],
    ["image/jpeg", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "picture-1.png", "image/png"],
    ["image/png", [...new TextEncoder().encode("RIFF1234WEBP")], "picture-1.webp", "image/webp"],
    ["image/svg+xml", [...new TextEncoder().encode("<svg onload='x'/>")], "picture-1.svg", "image/svg+xml"],
  ])("have the type of their bytes, whatever %s says", async (said, bytes, name, mediaType) => {
    const run = await runScriptedAgent({ script: [{ image: dataUrlOf(said, Uint8Array.from(bytes)) }] });
    expect(run.outcome).toMatchObject({ ok: true, output: { files: [{ name, mediaType }] } });
  });

  it("stay addresses where they are on another site", async () => {
    const image = "https://example.com/a.png";
    const run = await runScriptedAgent({ script: [{ text: "Here:", image }] });
    expect(run.outcome).toMatchObject({ ok: true, output: { images: [image] } });
    expect(run.host.files.kept.size).toBe(0);
  });

  it("are dropped by a run that is stopped while they are stored, which ends at once", async () => {
    const controller = new AbortController();
    const host = testHost();
    host.files.create = (_file, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        controller.abort();
      });
    const usage = { inputTokens: 10, outputTokens: 5 };
    const model = { ...scriptedModel([{ text: "A lamp:", image: png, usage }]), price: { input: 1, output: 2 } };
    const run = await runScriptedAgent({ script: [], model, host, signal: controller.signal });
    expect(run.outcome).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(JSON.stringify(run.events)).not.toContain("base64");
    // A replay asks again for an answer that lacks its picture, and what was paid for it counts.
    const parts = [{ type: "text", text: "A lamp:" }];
    expect(run.of("model-response")).toMatchObject([
      { finishReason: "cancelled", message: { parts }, usage, costUsd: (10 + 5 * 2) / 1_000_000 },
    ]);
  });
});
