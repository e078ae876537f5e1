import { describe, expect, it } from "vitest";
import { freePath, pathClash, readWorkspacePath } from "./workspace-path.ts";

const kept = (text: string) => {
  const read = readWorkspacePath(text);
  return read.ok ? read.path : undefined;
};
const refused = (text: string) => {
  const read = readWorkspacePath(text);
  return read.ok ? undefined : read.message;
};

describe("S105 paths of a workspace", () => {
  it("have one form", () => {
    expect(kept("report.md")).toBe("report.md");
    expect(kept("./notes//plan.md")).toBe("notes/plan.md");
    expect(kept("notes/./plan.md")).toBe("notes/plan.md");
    expect(kept("Ubersicht u\u0308ber Jahr.md")).toBe("Ubersicht über Jahr.md");
    expect(kept("отчёт/план.md")).toBe("отчёт/план.md");
    expect(kept("報告.md")).toBe("報告.md");
  });

  it.each([
    ["../secret", "leave the workspace"],
    ["a/../../b", "leave the workspace"],
    ["/etc/passwd", "begin with a slash"],
    ["C:\\x", "not allowed"],
    ["a\\..\\b", "not allowed"],
    ["a:b", "not allowed"],
    ["", "empty"],
    ["  ", "empty"],
    [".", "names no file"],
    ["notes/", "names no file"],
    ["a\u0000b", "cannot be seen"],
    ["a\nb", "cannot be seen"],
    ["a\u200bb", "cannot be seen"],
    ["gnp\u202e.exe", "cannot be seen"],
    ["a\u00a0b", "cannot be seen"],
    ["a\ud800", "cannot be seen"],
    ["report．md", "look like others"],
    ["ﬁle.md", "look like others"],
    ["repоrt.md", "alphabets that look alike"],
    [" a.md", "begin with a space"],
    ["a. /b", "begin with a space"],
    ["a/b.", "begin with a space"],
    ["x".repeat(201), "200 characters"],
    ["a/".repeat(10) + "b", "10 parts"],
  ])("refuse %j", (text, why) => {
    expect(refused(text)).toContain(why);
  });

  it("are free with the next number, beside a file that stands in the place of the folder", () => {
    expect(freePath("results/a", "json", [])).toBe("results/a-1.json");
    expect(freePath("results/a", "json", ["Results/A-1.json", "results/a-2.json/b"])).toBe("results/a-3.json");
    expect(freePath("results/a", "json", ["RESULTS", "results-a-1.json"])).toBe("results-a-2.json");
  });

  it("do not clash", () => {
    expect(pathClash("b.md", ["a.md"])).toBeUndefined();
    expect(pathClash("A.md", ["a.md"])).toContain("capitals");
    expect(pathClash("a/b", ["a"])).toContain("is a file");
    expect(pathClash("a", ["a/b"])).toContain("is a folder");
  });
});
