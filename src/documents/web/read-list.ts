import { xmlEvents } from "../read/xml-events.ts";

/** What a sitemap or a feed leads to, as absolute addresses in their order, each once. */
export interface ReadList {
  pages: string[];
  /** Other sitemaps, of a sitemap's index. */
  lists: string[];
}

/** Reads a sitemap, or an index of sitemaps, as sitemaps.org describes them; a text has an address in each line. Null: it is neither. */
export function readSitemap(text: string, url: string): ReadList | null {
  if (!/^\s*</.test(text)) return readLines(text, url);
  const found: ReadList = { pages: [], lists: [] };
  let root = "";
  let path: string[] = [];
  let words = "";
  xmlEvents(text, {
    open(name) {
      path = [...path, localName(name)];
      root ||= localName(name);
      words = "";
    },
    text: (part) => void (words += part),
    close() {
      const [parent, own] = path.slice(-2);
      // Images and videos of a page have a `loc` of their own, deeper.
      if (own === "loc" && path.length === 3) {
        if (parent === "url") found.pages.push(words);
        else if (parent === "sitemap") found.lists.push(words);
      }
      path = path.slice(0, -1);
    },
  });
  return root === "urlset" || root === "sitemapindex" ? absolute(found, url) : null;
}

/** Reads an RSS or Atom feed. Null: it is neither. */
export function readFeed(text: string, url: string): ReadList | null {
  const pages: string[] = [];
  let root = "";
  let path: string[] = [];
  let words = "";
  let link = "";
  let permalink = "";
  xmlEvents(text, {
    open(name, attributes) {
      const own = localName(name);
      path = [...path, own];
      root ||= own;
      words = "";
      if (own === "item" || own === "entry") [link, permalink] = ["", ""];
      const isArticle = (attributes["rel"] ?? "alternate") === "alternate";
      if (own === "link" && path.at(-2) === "entry" && isArticle) link ||= attributes["href"] ?? "";
      if (own === "guid" && attributes["isPermaLink"] !== "false") permalink = "?";
    },
    text: (part) => void (words += part),
    close() {
      const [parent, own] = path.slice(-2);
      if (own === "link" && parent === "item" && words.trim() !== "") link ||= words.trim();
      if (own === "guid" && parent === "item" && permalink === "?") permalink = words.trim();
      if (own === "item" || own === "entry" || path.length === 1) {
        const page = link || permalink;
        if (path.length > 1 && page !== "") pages.push(page);
      }
      path = path.slice(0, -1);
    },
  });
  return ["rss", "feed", "RDF"].includes(root) ? absolute({ pages, lists: [] }, url) : null;
}

function readLines(text: string, url: string): ReadList | null {
  const lines = text.split(/\s*\n\s*/).filter((line) => line.trim() !== "");
  if (!lines.some((line) => /^https?:\/\//.test(line))) return null;
  return absolute({ pages: lines, lists: [] }, url);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function absolute({ pages, lists }: ReadList, base: string): ReadList {
  return { pages: addressesOf(pages, base), lists: addressesOf(lists, base) };
}

/** The web addresses among some texts, in their order, each once, without what stands behind `#`. */
export function addressesOf(texts: readonly string[], base: string): string[] {
  const urls = texts.flatMap((text) => {
    if (!URL.canParse(text.trim(), base)) return [];
    const url = new URL(text.trim(), base);
    url.hash = "";
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return [];
    return url.href.length <= 2_000 ? [url.href] : [];
  });
  return [...new Set(urls)];
}
