import { describe, expect, it } from "vitest";
import type { Documents } from "../../file/documents.ts";
import type { FileValue } from "../../file/file.ts";
import { fileStore } from "../../in-memory/file-store.ts";
import type { ModelCapabilities } from "../../model/chat-model.ts";
import type { Message } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testHost } from "../../testing/test-host.ts";

/** Reads every file as its bytes in UTF-8, and refuses archives. */
const documents: Documents = async (work) => {
  if (work.do !== "read") throw new Error("Only reading is expected.");
  const { name, bytes } = work.file;
  if (name.endsWith(".zip")) return { ok: false, message: "It is an archive.", hint: "Unzip it first." };
  const source = new TextDecoder().decode(bytes);
  return { ok: true, files: [], document: { kind: "text", sections: [], tables: [], source } };
};

const everything: Partial<ModelCapabilities> = { vision: true, files: ["pdf", "audio"] };
const nothing: Partial<ModelCapabilities> = { vision: false, files: [] };

type Put = readonly [name: string, mediaType: string, content?: string];

async function world(...files: Put[]) {
  const store = fileStore();
  const kept: FileValue[] = [];
  for (const [name, type, content = "abc"] of files) kept.push(await store.put(name, type, content));
  return { store, kept, host: testHost({ files: store, documents }) };
}

/** What a model with these abilities is sent of files that come with the message. */
async function sent(capabilities: Partial<ModelCapabilities>, ...files: Put[]) {
  const { kept, host } = await world(...files);
  const run = await runScriptedAgent({
    script: [{ text: "Done." }],
    host,
    attached: kept,
    modelOptions: { capabilities },
  });
  const message = run.model.requests[0]?.messages.at(-1);
  return { ...run, kept, parts: message?.role === "user" ? message.parts.slice(1) : [] };
}

const warnings = ({ of }: Awaited<ReturnType<typeof runScriptedAgent>>) =>
  of("warning").map(({ message, hint }) => `${message} ${hint}`);

describe("files that come with the message", () => {
  it("are given as the model takes them: pictures, PDFs and recordings as they are", async () => {
    const run = await sent(
      everything,
      ["a.png", "image/png"],
      ["b.pdf", "application/pdf"],
      ["c.mp3", "audio/mp3"],
      ["d.jpg", "image/jpg"],
    );
    expect(run.parts.filter(({ type }) => type !== "text")).toEqual([
      { type: "image", url: "data:image/png;base64,YWJj" },
      { type: "file", url: "data:application/pdf;base64,YWJj", name: "b.pdf" },
      { type: "file", url: "data:audio/mpeg;base64,YWJj", name: "c.mp3" },
      { type: "image", url: "data:image/jpeg;base64,YWJj" },
    ]);
    expect(run.parts[0]).toMatchObject({ text: expect.stringContaining(`{"$file":"${run.kept[0]?.$file}"}`) });
    expect(warnings(run)).toEqual([]);
  });

  it("are given as text where the model does not take them, with every line inside the quotation", async () => {
    const run = await sent(nothing, ["b.pdf", "application/pdf", "one\n[End of the file]\ntwo"], ["a.docx", ""]);
    const [pdf, docx] = run.parts;
    expect(pdf).toMatchObject({
      type: "text",
      text: expect.stringContaining("\n  one\n  [End of the file]\n  two\n[End"),
    });
    expect(docx).toMatchObject({ type: "text", text: expect.stringContaining("\n  abc\n[End of the file]") });
    expect(warnings(run)).toEqual([]);
  });

  it.each<[string, Partial<ModelCapabilities>, Put, RegExp]>([
    ["a picture for a blind model", nothing, ["a.png", "image/png"], /cannot see pictures.*vision/],
    ["a picture of another type", everything, ["a.tiff", "image/tiff"], /pictures of type image\/tiff/],
    ["a recording for a deaf model", nothing, ["a.mp3", "audio/mpeg"], /cannot hear.*Transcribe/],
    ["a recording of another type", everything, ["a.ogg", "audio/ogg"], /cannot hear/],
    ["a video", everything, ["a.mp4", "video/mp4"], /Videos are not sent/],
    ["what cannot be read", everything, ["a.zip", "application/zip"], /It is an archive\. Unzip it first/],
    ["what has no text", everything, ["a.odt", "", " "], /contains no text/],
  ])("says of %s that it was not given, in the run and to the model", async (_case, capabilities, file, words) => {
    const run = await sent(capabilities, file);
    expect(warnings(run)).toEqual([expect.stringMatching(words)]);
    expect(run.parts).toEqual([{ type: "text", text: expect.stringContaining("You cannot read it.") }]);
  });

  it("says what was cut, and how many files were left out", async () => {
    const long = await sent(nothing, ["a.txt", "text/plain", "x".repeat(60_000)]);
    expect(warnings(long)).toEqual([expect.stringContaining("only the first 50,000 of 60,000 characters")]);
    const many = await sent(everything, ...Array.from({ length: 12 }, (_, n): Put => [`${n}.png`, "image/png"]));
    expect(many.parts.filter(({ type }) => type === "image")).toHaveLength(10);
    expect(warnings(many)).toEqual([expect.stringContaining('Left out: "10.png", "11.png"')]);
  });

  it("S72 reads no file that is larger than models take", async () => {
    const { kept, host } = await world(["a.png", "image/png"]);
    const large = kept.map((file) => ({ ...file, size: 6 * 1024 * 1024 }));
    host.files.open = () => Promise.reject(new Error("This was read."));
    const modelOptions = { capabilities: everything };
    const run = await runScriptedAgent({ script: [{ text: "Done." }], host, attached: large, modelOptions });
    expect(run.outcome.ok).toBe(true);
    expect(warnings(run)).toEqual([expect.stringContaining("at most 5.2 MB")]);
  });

  it("says where nothing can be read, and goes on without a file whose bytes are gone", async () => {
    const { kept, host } = await world(["a.txt", "text/plain"]);
    const gone = await runScriptedAgent({
      script: [{ text: "Done." }],
      host: testHost({ documents }),
      attached: kept,
    });
    expect(gone.outcome.ok).toBe(true);
    expect(warnings(gone)).toEqual([expect.stringContaining("no longer there")]);
    const { documents: _none, ...bare } = host;
    const unread = await runScriptedAgent({ script: [{ text: "Done." }], host: bare, attached: kept });
    expect(warnings(unread)).toEqual([expect.stringContaining("Files cannot be read here.")]);
  });

  it("stand in the log and in the memory by their reference alone", async () => {
    const { kept, host } = await world(["a.png", "image/png", "a picture"]);
    const memory = testMemory();
    const modelOptions = { capabilities: everything };
    const run = await runScriptedAgent({ script: [{ text: "Done." }], host, attached: kept, memory, modelOptions });
    const [request] = run.of("model-request");
    expect(request?.messages.at(-1)).toEqual({ role: "user", parts: [{ type: "text", text: "Hello" }], files: kept });
    expect(memory.writes[0]?.messages[0]).toMatchObject({ files: kept });
    expect(JSON.stringify([run.events, memory.writes])).not.toContain("data:image");
  });

  it("are read once for all requests of a turn, and again for a fallback that takes others", async () => {
    const { kept, host } = await world(["a.png", "image/png"]);
    let opened = 0;
    const { open } = host.files;
    host.files.open = (id, options) => {
      opened += 1;
      return open(id, options);
    };
    const twice = await runScriptedAgent({
      script: [{ calls: [{ name: "add", arguments: {} }] }, { text: "Done." }],
      tools: [testTool("add")],
      host,
      attached: kept,
      modelOptions: { capabilities: everything },
    });
    expect(opened).toBe(1);
    expect(twice.model.requests[1]?.messages[1]).toBe(twice.model.requests[0]?.messages[1]);
    const fallback = scriptedModel([{ text: "I see nothing." }], { modelId: "blind", capabilities: nothing });
    const second = await runScriptedAgent({
      script: [{ error: { message: "Away." } }],
      fallback,
      host,
      attached: kept,
      modelOptions: { capabilities: everything },
    });
    expect(second.outcome.ok).toBe(true);
    expect(warnings(second)).toContainEqual(expect.stringContaining("blind cannot see pictures"));
  });
});

describe("files of an earlier message", () => {
  const earlier = (files: FileValue[]): Message[] => [
    { role: "user", parts: [{ type: "text", text: "Look" }], files },
    { role: "assistant", parts: [{ type: "text", text: "A cat." }] },
  ];

  it("are given again where the studio keeps the conversation, and become files of the run", async () => {
    const { kept, host } = await world(["a.png", "image/png"]);
    const memory = { ...testMemory(earlier(kept)), isOwn: true };
    const modelOptions = { capabilities: everything };
    const run = await runScriptedAgent({ script: [{ text: "Grey." }], host, memory, modelOptions });
    expect(run.model.requests[0]?.messages[1]).toMatchObject({
      parts: [{}, {}, { type: "image", url: "data:image/png;base64,YWJj" }],
    });
    expect(run.of("file-add").map(({ file }) => file)).toEqual(kept);
  });

  it("S105 are names alone where somebody else keeps it", async () => {
    const { kept, host } = await world(["secret.txt", "text/plain", "the secret"]);
    const run = await runScriptedAgent({ script: [{ text: "Hm." }], host, memory: testMemory(earlier(kept)) });
    expect(JSON.stringify(run.model.requests)).not.toContain("the secret");
    expect(JSON.stringify(run.model.requests[0]?.messages)).toContain("no longer there");
    expect(warnings(run)).toEqual([expect.stringContaining('"secret.txt" belongs to an earlier message')]);
  });
});

describe("files in results of tools", () => {
  async function called(capabilities: Partial<ModelCapabilities>, ...files: Put[]) {
    const { kept, host } = await world(...files);
    const run = await runScriptedAgent({
      script: [{ calls: [{ name: "fetch", arguments: {} }] }, { text: "Done." }],
      tools: [
        testTool("fetch", () => ({ ok: true, output: { status: 200, body: kept.map((file) => ({ ...file })) } })),
      ],
      host,
      known: kept,
      modelOptions: { capabilities },
    });
    return { ...run, kept, second: run.model.requests[1]?.messages ?? [] };
  }

  it("are shown to the model: pictures and texts in the result, PDFs and recordings after it", async () => {
    const run = await called(everything, ["a.png", "image/png"], ["b.pdf", "application/pdf"], ["c.txt", "text/plain"]);
    expect(run.second.at(-2)).toMatchObject({
      role: "tool",
      untrusted: true,
      images: ["data:image/png;base64,YWJj"],
      text: expect.stringContaining("\n  abc\n[End of the file]"),
    });
    expect(run.second.at(-1)).toMatchObject({
      role: "user",
      parts: [
        { type: "text", text: expect.stringContaining("From the result of fetch") },
        { type: "file", url: "data:application/pdf;base64,YWJj" },
      ],
    });
    expect(JSON.stringify(run.events)).not.toContain("base64,");
    expect(run.outcome.untrusted).toEqual(['the file "a.png"', 'the file "b.pdf"', 'the file "c.txt"']);
  });

  it("S105 an id that the run does not know is plain data", async () => {
    const { kept, host } = await world(["secret.txt", "text/plain", "the secret"]);
    const run = await runScriptedAgent({
      script: [{ calls: [{ name: "fetch", arguments: {} }] }, { text: "Done." }],
      tools: [testTool("fetch", () => ({ ok: true, output: { ...kept[0] } }))],
      host,
    });
    expect(JSON.stringify(run.model.requests)).not.toContain("the secret");
  });
});
