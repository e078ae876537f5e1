import { describe, expect, it } from "vitest";
import { readFeed, readSitemap } from "./read-list.ts";

const url = "https://a.test/help/list.xml";

describe("a sitemap", () => {
  it("leads to its pages in order, each once, and not to their pictures", () => {
    const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
      <url><loc> https://a.test/one?a=1&amp;b=2 </loc><image:image><image:loc>https://a.test/p.png</image:loc></image:image></url>
      <url><loc>/two#part</loc></url><url><loc>https://a.test/two</loc></url>
      <url><loc>javascript:alert(1)</loc></url><url><loc>https://bob:secret@a.test/three</loc></url></urlset>`;
    expect(readSitemap(xml, url)).toEqual({ pages: ["https://a.test/one?a=1&b=2", "https://a.test/two"], lists: [] });
  });

  it("leads to other sitemaps", () => {
    const xml = "<sm:sitemapindex><sm:sitemap><sm:loc>https://a.test/b.xml</sm:loc></sm:sitemap></sm:sitemapindex>";
    expect(readSitemap(xml, url)).toEqual({ pages: [], lists: ["https://a.test/b.xml"] });
  });

  it("is a text of addresses, too", () => {
    expect(readSitemap("https://a.test/one\r\nhttps://a.test/two\r\n", url)?.pages).toEqual([
      "https://a.test/one",
      "https://a.test/two",
    ]);
  });

  it.each([["<html><body>Not found</body></html>"], ["Not found"], [""]])("is not %o", (text) =>
    expect(readSitemap(text, url)).toBeNull(),
  );

  it("S105 expands no entity of its own", () => {
    const xml = `<!DOCTYPE urlset [<!ENTITY a "https://a.test/"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`;
    expect(readSitemap(xml, url)?.pages).toEqual(["https://a.test/help/&b;"]);
  });
});

describe("a feed", () => {
  it("of RSS leads to its articles, by link or by permalink", () => {
    const xml = `<rss><channel><link>https://a.test/</link>
      <item><title>One</title><link>https://a.test/one</link><guid isPermaLink="false">1</guid></item>
      <item><guid>https://a.test/two</guid></item><item><guid isPermaLink="false">3</guid></item></channel></rss>`;
    expect(readFeed(xml, url)?.pages).toEqual(["https://a.test/one", "https://a.test/two"]);
  });

  it("of Atom leads to its entries and not to what belongs to them", () => {
    const xml = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.test/"/><link rel="self" href="/feed"/>
      <entry><link rel="enclosure" href="/sound.mp3"/><link rel="alternate" href="/one"/></entry><entry><link href="two"/></entry></feed>`;
    expect(readFeed(xml, url)?.pages).toEqual(["https://a.test/one", "https://a.test/help/two"]);
  });

  it("of RSS 1.0 leads to its items", () => {
    const xml = `<rdf:RDF><channel><link>https://a.test/</link></channel><item><link>https://a.test/one</link></item></rdf:RDF>`;
    expect(readFeed(xml, url)?.pages).toEqual(["https://a.test/one"]);
  });

  it("is no page", () => expect(readFeed("<html><a href='/one'>One</a></html>", url)).toBeNull());
});
