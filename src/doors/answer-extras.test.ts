import { describe, expect, it } from "vitest";
import type { Json } from "../engine/json.ts";
import { answerExtras } from "./answer-extras.ts";

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
