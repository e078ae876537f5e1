import { describe, expect, it } from "vitest";
import { chatDoorConfig, chatShares } from "./chat-door.ts";
import { doorLimits, inputSize } from "./door-limits.ts";

const megabyte = 1024 * 1024;

describe("the limits of a publication's doors", () => {
  it("are the usual ones where nothing, or nothing that makes sense, is stored", () => {
    const usual = { inputBytes: megabyte, senderMessages: 10_000, senderBytes: 200 * megabyte };
    for (const stored of [
      undefined,
      null,
      {},
      { inputMb: 0, senderPerDay: -1, senderMbPerDay: "many" },
      { inputMb: 17 },
    ]) {
      expect(doorLimits(stored)).toEqual(usual);
    }
    expect(doorLimits({ inputMb: 2.5, senderPerDay: 3, senderMbPerDay: 1, concurrent: 4 })).toEqual({
      inputBytes: 2.5 * megabyte,
      senderMessages: 3,
      senderBytes: megabyte,
    });
    expect(doorLimits({ senderPerDay: 1e300, senderMbPerDay: 1e-9 })).toMatchObject({
      senderMessages: 1e15,
      senderBytes: 1,
    });
  });
});

describe("the size of an input", () => {
  it("is its JSON's in bytes, apart from what is attached", () => {
    expect(inputSize("é")).toEqual({ total: 4, withoutFiles: 4 });
    const picture = `data:image/png;base64,${"A".repeat(100)}`;
    const attached = { message: "m", images: [picture], files: [{ url: picture, name: "a" }] };
    const { total, withoutFiles } = inputSize(attached);
    expect(total - withoutFiles).toBe(2 * JSON.stringify(picture).length);
  });

  it.each([
    ["pictures elsewhere", { other: [`data:image/png;base64,${"A".repeat(100)}`] }],
    ["addresses", { images: [`https://example.com/${"a".repeat(100)}`] }],
    ["other text that begins as a picture does", { images: [`data:image/png;base64,${"a b".repeat(100)}`] }],
    ["a picture that is no text", { images: [{ data: "A".repeat(100) }], files: "A".repeat(100) }],
  ])("counts %s", (_, input) => {
    const { total, withoutFiles } = inputSize(input);
    expect(withoutFiles).toBe(total);
  });
});

describe("what one sender may use of a chat page in a day", () => {
  const shares = (config: object) => chatShares(chatDoorConfig.parse(config));

  it("is a part of the page's day unless its owner says otherwise, and enough to talk", () => {
    expect(shares({})).toMatchObject({ visitor: { messages: 100 }, network: { messages: 300 } });
    expect(shares({ perDay: 10 })).toMatchObject({ visitor: { messages: 5 }, network: { messages: 15 } });
    expect(shares({ visitorPerDay: 7, networkPerDay: 8, visitorMbPerDay: 2 })).toEqual({
      visitor: { messages: 7, bytes: 2 * megabyte },
      network: { messages: 8, bytes: 6 * megabyte },
    });
  });
});
