import { describe, expect, it } from "vitest";
import { runScriptedAgent, testMemory } from "../testing/run-scripted-agent.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { messageText } from "../model/message.ts";
import { attachedImages, maxImageChars, maxImages, questionFor } from "../model/attachments.ts";

const png = "data:image/png;base64,iVBORw0KGgo=";

describe("attachedImages", () => {
  it("takes data and https URLs in order", () => {
    const images = [png, "https://example.com/a.jpg"];
    expect(attachedImages({ message: "Look", images })).toEqual(images.map((url) => ({ type: "image", url })));
  });

  it.each<[string, unknown]>([
    ["no images", undefined],
    ["no list", png],
    ["a script in a data URL", ["data:text/html;base64,AAAA"]],
    ["a vector graphic, which may hold scripts", ["data:image/svg+xml;base64,AAAA"]],
    ["plain http", ["http://example.com/a.png"]],
    ["javascript", ["javascript:alert(1)"]],
    ["no URL", ["https://"]],
    ["something else", [{ url: png }, 7, null]],
    ["what is too large", [`data:image/png;base64,${"A".repeat(maxImageChars)}`]],
  ])("S47 leaves out %s", (_, images) => {
    expect(
      attachedImages(images === undefined ? { message: "x" } : { images: JSON.parse(JSON.stringify(images)) }),
    ).toEqual([]);
  });

  it("takes no more than vendors do", () => {
    expect(attachedImages({ images: Array.from({ length: maxImages + 3 }, () => png) })).toHaveLength(maxImages);
  });
});

describe("questionFor", () => {
  const image = { type: "image" as const, url: png };

  it("is one user message, the text first", () => {
    const { question, unread } = questionFor(scriptedModel([]), "Look", { images: [image] });
    expect(messageText(question)).toBe("Look");
    expect(question.parts.at(-1)).toEqual(image);
    expect(unread).toEqual([]);
  });

  it("leaves out what the model cannot read, and tells of each", () => {
    const pdf = { type: "file" as const, url: "data:application/pdf;base64,AAAA" };
    const wav = { type: "file" as const, url: "data:audio/wav;base64,AAAA", name: "call.wav" };
    const model = scriptedModel([], { capabilities: { vision: false, files: ["pdf"] } });
    const { question, unread } = questionFor(model, "Look", { images: [image], files: [wav, pdf] });
    expect(question.parts.slice(1)).toEqual([pdf]);
    expect(unread.map(({ message }) => message)).toEqual([
      "The model scripted-1 cannot see images, so they were not sent.",
      "The model scripted-1 cannot read call.wav, so it was not sent.",
    ]);
  });
});

describe("an agent with images", () => {
  const images = [{ type: "image" as const, url: png }];
  const question = { role: "user", parts: [{ type: "text", text: "Hello" }, ...images] };

  it("sends them with the user's message and remembers them", async () => {
    const memory = testMemory();
    const { model } = await runScriptedAgent({
      script: [{ text: "A cat." }],
      images,
      memory,
      modelOptions: { capabilities: { vision: true } },
    });
    expect(model.requests[0]?.messages.at(-1)).toEqual(question);
    expect(memory.writes[0]?.messages[0]).toEqual(question);
  });

  it("leaves them out for a model that cannot see, and says so", async () => {
    const { model, of } = await runScriptedAgent({
      script: [{ text: "I see nothing." }],
      images,
      modelOptions: { capabilities: { vision: false } },
    });
    expect(model.requests[0]?.messages.at(-1)).toEqual({ role: "user", parts: [{ type: "text", text: "Hello" }] });
    expect(of("warning")[0]?.message).toContain("cannot see images");
  });
});
