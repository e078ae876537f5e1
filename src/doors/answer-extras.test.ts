import { describe, expect, it } from "vitest";
import type { Json } from "../engine/json.ts";
import { answerExtras, answerFiles } from "./answer-extras.ts";

const file = {
  $file: "00000000-0000-4000-9000-000000000001",
  name: "a.md",
  mediaType: "text/markdown",
  size: 5,
  sha256: "a".repeat(64),
};

describe("answerFiles", () => {
  it("finds the files of an output wherever they are, and no others", () => {
    expect(answerFiles(file)).toEqual([file]);
    expect(answerFiles({ statusCode: 200, body: file, more: [{ file }] })).toEqual([file]);
    expect(answerFiles({ response: "x", file: { ...file, size: -1 }, other: { $file: file.$file } })).toEqual([]);
    expect(answerFiles(undefined)).toEqual([]);
  });

  it("leaves out what stands among the pictures of the model as well", () => {
    expect(answerFiles({ response: "x", images: ["data:image/png;base64,AAAA"], files: [file] })).toEqual([]);
  });
});

describe("answerExtras", () => {
  it("gives the web pages and pictures of an agent's answer", () => {
    const sources: Json[] = [{ url: "https://example.com/a", title: "A" }, { url: "http://example.com/b" }];
    const images = ["data:image/png;base64,AAAA"];
    expect(answerExtras({ response: "x", metadata: {}, sources, images })).toEqual({ sources, images });
  });

  it("S47 leaves out what could run or load something, and what is no agent's output", () => {
    const sources: Json[] = [{ url: "javascript:alert(1)" }, "https://example.com", { title: "A" }];
    const images: Json[] = ["https://example.com/track.png", "data:image/svg+xml;base64,AAAA", 7];
    expect(answerExtras({ response: "x", sources, images })).toEqual({});
    expect(answerExtras({ sources: [{ url: "https://example.com" }] })).toEqual({});
    expect(answerExtras("text")).toEqual({});
    expect(answerExtras(undefined)).toEqual({});
  });
});
