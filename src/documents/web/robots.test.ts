import { describe, expect, it } from "vitest";
import { readRobots } from "./robots.ts";

const allowed = (text: string, path: string) => readRobots(text, "Switchyard").allows(`https://a.test${path}`);

describe("robots.txt", () => {
  it.each([
    ["nothing forbids nothing", "", "/a", true],
    ["a path and all below it", "User-agent: *\nDisallow: /private", "/private/a", false],
    ["what stands beside it", "User-agent: *\nDisallow: /private", "/public", true],
    ["an empty rule", "User-agent: *\nDisallow:", "/a", true],
    ["the longest rule", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["the rule that allows, of two as long", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
    ["a star in the middle", "User-agent: *\nDisallow: /*/print", "/a/b/print", false],
    ["the end of a path", "User-agent: *\nDisallow: /*.pdf$", "/a.pdf", false],
    ["more than the end", "User-agent: *\nDisallow: /*.pdf$", "/a.pdf?x=1", true],
    ["a whole path", "User-agent: *\nDisallow: /a$", "/a/b", true],
    ["a query", "User-agent: *\nDisallow: /*?sort=", "/list?sort=up", false],
    ["letters that are escaped", "User-agent: *\nDisallow: /%7Ebob", "/~bob", false],
    ["letters that need escapes", "User-agent: *\nDisallow: /grün", "/gr%C3%BCn", false],
    ["another crawler", "User-agent: other\nDisallow: /", "/a", true],
    [
      "its own group over that for all",
      "User-agent: *\nDisallow: /\n\nUser-agent: SwitchYard/1.0\nDisallow: /b",
      "/a",
      true,
    ],
    ["a group of several names", "User-agent: other\nUser-agent: switchyard\nDisallow: /", "/a", false],
    ["groups of the same name together", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", false],
    ["rules before any group", "Disallow: /\nUser-agent: *\nDisallow: /b", "/a", true],
    [
      "comments and odd lines",
      "# Hello\nUser-agent: * # all\nSitemap: https://a.test/s.xml\nDisallow: /b # no",
      "/b",
      false,
    ],
    ["itself", "User-agent: *\nDisallow: /", "/robots.txt", true],
  ])("reads %s", (_what, text, path, expected) => expect(allowed(text, path)).toBe(expected));

  it("gives the delay that it asks for", () => {
    expect(readRobots("User-agent: *\nCrawl-delay: 2.5\nDisallow:", "Switchyard").delay).toBe(2.5);
    expect(readRobots("User-agent: *\nCrawl-delay: soon", "Switchyard").delay).toBeUndefined();
  });

  it("S72 takes a pattern of many stars in no time", () => {
    const pattern = `/${"*a".repeat(5_000)}$`;
    expect(allowed(`User-agent: *\nDisallow: ${pattern}`, `/${"a".repeat(4_000)}b`)).toBe(true);
  });
});
