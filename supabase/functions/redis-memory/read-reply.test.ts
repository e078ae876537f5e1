import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { TooMuchDataError } from "../_shared/open-socket.ts";
import { RedisError, ReplyError, ReplyReader } from "./read-reply.ts";

const read = (...pieces: string[]) => {
  const reader = new ReplyReader();
  return pieces.flatMap((piece) => reader.push(Buffer.from(piece)));
};

const everything =
  "+OK\r\n:-12\r\n$5\r\na\r\nbc\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n*2\r\n*1\r\n$2\r\né\r\n-WRONGTYPE no list\r\n";
const values = ["OK", -12, "a\r\nbc", "", null, null, [], [["é"], new RedisError("WRONGTYPE no list")]];

describe("answers of Redis", () => {
  test("are read as they are meant, texts by their length", () => {
    expect(read(everything)).toEqual(values);
  });

  test("are the same in whatever pieces they come", () => {
    const bytes = Buffer.from(everything);
    for (const size of [1, 2, 3, 7, 64]) {
      const reader = new ReplyReader();
      const replies = [];
      for (let at = 0; at < bytes.length; at += size) replies.push(...reader.push(bytes.subarray(at, at + size)));
      expect(replies, `pieces of ${size}`).toEqual(values);
    }
  });

  test("wait for what is missing", () => {
    const reader = new ReplyReader();
    expect(reader.push(Buffer.from("*2\r\n$3\r\nabc\r\n:"))).toEqual([]);
    expect(reader.push(Buffer.from("7\r\n"))).toEqual([["abc", 7]]);
  });
});

describe("S8 a server that is no Redis", () => {
  test.each([
    ["another protocol", "HTTP/1.1 302 Found\r\n"],
    ["version 3 of the protocol", ">2\r\n+invalidate\r\n*0\r\n"],
    ["no number", "$abc\r\n"],
    ["a number that is none", ":99999999999999999999\r\n"],
    ["a negative length", "*-2\r\n"],
    ["a text without its end", "$3\r\nabcde"],
    ["a line without end", "+".padEnd(70_000, "a")],
    ["lists in lists", "*1\r\n".repeat(100_000)],
  ])("is not believed: %s", (_case, text) => {
    expect(() => read(text)).toThrow(ReplyError);
  });

  test.each([
    ["a long list", "*30000000\r\n"],
    ["a long text", "$2000000000\r\n"],
    ["many values in short lists", "*150000\r\n" + `*2\r\n:1\r\n:1\r\n`.repeat(100_000)],
  ])("gets no memory by announcing it: %s", (_case, text) => {
    expect(() => read(text)).toThrow(TooMuchDataError);
  });
});
