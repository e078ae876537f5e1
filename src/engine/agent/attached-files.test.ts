import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { runScriptedAgent, testMemory, testTool } from "../testing/run-scripted-agent.ts";
import {
  attachedFiles,
  attachedImages,
  leftOutWarnings,
  maxFileChars,
  maxFiles,
  picturesIn,
} from "../model/attachments.ts";

const pdf = "data:application/pdf;base64,JVBERi0xLjc=";
const sound = "data:audio/mpeg;base64,SUQz";
const picture = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
const png = "data:image/png;base64,iVBORw0KGgo=";

describe("attachedFiles", () => {
  it("takes documents and recordings with their names", () => {
    expect(attachedFiles({ message: "x", files: [{ url: pdf, name: "a.pdf" }, { url: sound }] })).toEqual([
      { type: "file", url: pdf, name: "a.pdf" },
      { type: "file", url: sound },
    ]);
  });

  it.each<[string, unknown]>([
    ["no files", undefined],
    ["no list", pdf],
    ["bare addresses", [pdf]],
    ["files of other sites", [{ url: "https://example.com/a.pdf" }]],
    ["other types", [{ url: "data:text/html;base64,AAAA" }, { url: "data:constructor/x;base64,AAAA" }]],
    ["what is too large", [{ url: `data:application/pdf;base64,${"A".repeat(maxFileChars)}` }]],
  ])("leaves out %s", (_, files) => {
    expect(attachedFiles(files === undefined ? {} : { files: JSON.parse(JSON.stringify(files)) })).toEqual([]);
  });

  it("takes no more than a message may have", () => {
    expect(attachedFiles({ files: Array.from({ length: maxFiles + 2 }, () => ({ url: pdf })) })).toHaveLength(maxFiles);
  });
});

describe("leftOutWarnings", () => {
  const warned = (input: Json) => {
    const taken = { images: attachedImages(input), files: attachedFiles(input) };
    return leftOutWarnings(input, taken).map(({ message, hint }) => `${message} ${hint}`);
  };

  it("says how many attachments were not sent, and what may be", () => {
    const input = {
      message: "x",
      images: [png, "http://example.com/a.png"],
      files: [{ url: pdf }, { url: "data:text/html;base64,AAAA" }, { url: "data:application/pdf;base64,not base64" }],
    };
    expect(warned(input)).toEqual([
      expect.stringMatching(/^1 attached image was not sent. Send PNG/),
      expect.stringMatching(/^2 attached files were not sent. Send PDF/),
    ]);
    expect(warned({ message: "x", files: "report.pdf" })).toHaveLength(1);
  });

  it("is silent about what was sent, and where nothing came", () => {
    expect(warned({ message: "x", images: [png], files: [{ url: pdf }] })).toEqual([]);
    expect(warned({ message: "x", images: null })).toEqual([]);
    expect(warned("x")).toEqual([]);
  });
});

describe("picturesIn", () => {
  it("finds the pictures of a result, and nothing that is no picture", () => {
    const script = { type: "image", mimeType: "image/svg+xml", data: "AAAA" };
    expect(picturesIn(["words", picture, script, { data: "AAAA" }])).toEqual([png]);
    expect(picturesIn(picture)).toEqual([png]);
    expect(picturesIn("words")).toEqual([]);
  });
});

describe("an agent", () => {
  const files = [
    { type: "file" as const, url: pdf, name: "report.pdf" },
    { type: "file" as const, url: sound, name: "call.mp3" },
  ];

  it("sends the files that its model reads, and says which it does not", async () => {
    const { model, of } = await runScriptedAgent({
      script: [{ text: "Done." }],
      files,
      modelOptions: { capabilities: { files: ["pdf"] } },
    });
    expect(model.requests[0]?.messages.at(-1)).toEqual({
      role: "user",
      parts: [{ type: "text", text: "Hello" }, files[0]],
    });
    expect(of("warning").map(({ message }) => message)).toEqual([
      expect.stringContaining("cannot read call.mp3, so it was not sent"),
    ]);
  });

  it("shows a model that sees the pictures of its tools, in the turn in which they come", async () => {
    const memory = testMemory();
    const camera = testTool("camera", () => ({ ok: true, output: [picture], text: "[image]" }));
    const script = () => [{ calls: [{ name: "camera", arguments: {}, callId: "c1" }] }, { text: "A cat." }];
    const seeing = await runScriptedAgent({
      script: script(),
      tools: [camera],
      memory,
      settings: { rememberToolCalls: "full" },
      modelOptions: { capabilities: { vision: true } },
    });
    expect(seeing.model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", text: "[image]", images: [png] });
    expect(JSON.stringify(memory.writes)).not.toContain("iVBORw0KGgo");

    const modelOptions = { capabilities: { vision: false } };
    const blind = await runScriptedAgent({ script: script(), tools: [camera], modelOptions });
    expect(blind.model.requests[1]?.messages.at(-1)).not.toHaveProperty("images");
  });
});
