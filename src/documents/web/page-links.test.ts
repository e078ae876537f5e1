import { expect, it } from "vitest";
import { isInScope } from "./crawl-scope.ts";
import { pageLinks } from "./page-links.ts";

it("finds the links of a page, by its base, each once", () => {
  const html = `<base href="/help/"><a href="one">1</a><a href='one#two'>2</a><a rel="nofollow" href="three">3</a>
    <a href="mailto:bob@a.test">4</a><area href="https://b.test/five"><a>6</a><script>"<a href='no'>"</script>`;
  expect(pageLinks(html, "https://a.test/start")).toEqual(["https://a.test/help/one", "https://b.test/five"]);
});

it.each([
  ["https://a.test/docs/one", true],
  ["https://www.a.test/docs/one", true],
  ["http://a.test/docs/one?x=1", true],
  ["https://b.test/docs/one", false],
  ["https://a.test:8443/docs/one", false],
  ["https://a.test/blog/one", false],
  ["https://a.test/docs/old/one", false],
  ["https://a.test/docs/one/print", false],
  ["https://a.test/docs/one.png", false],
])("%s is within the scope: %s", (address, expected) => {
  const include = ["/docs/*"];
  const exclude = ["/docs/old/*", "*/print"];
  expect(isInScope(address, { kind: "site", url: "https://a.test/", include, exclude })).toBe(expected);
});

it("lets a feed lead to other hosts", () => {
  const scope = { kind: "feed" as const, url: "https://a.test/feed", include: [], exclude: ["/x"] };
  expect(isInScope("https://b.test/one", scope)).toBe(true);
  expect(isInScope("https://b.test/x", scope)).toBe(false);
});
