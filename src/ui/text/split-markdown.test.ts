import { describe, expect, it } from "vitest";
import { splitMarkdown } from "./split-markdown.ts";

describe("splitMarkdown", () => {
  it("cuts at blank lines", () => {
    expect(splitMarkdown("one\ntwo\n\nthree\n\n\nfour")).toEqual(["one\ntwo", "three", "four"]);
  });

  it("keeps a fenced block whole, also one that is not closed yet or holds another fence", () => {
    expect(splitMarkdown("a\n\n```js\nlet b;\n\nlet c;\n```\n\nd")).toEqual(["a", "```js\nlet b;\n\nlet c;\n```", "d"]);
    expect(splitMarkdown("```\na\n\nb")).toEqual(["```\na\n\nb"]);
    expect(splitMarkdown("````\n```\n\n```\n````")).toEqual(["````\n```\n\n```\n````"]);
  });

  it("loses no text", () => {
    const text = "# a\n\nb\n\n```\nc\n\n```\n\n- d";
    expect(splitMarkdown(text).join("\n\n")).toBe(text);
  });
});
