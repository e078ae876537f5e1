import { Parser } from "htmlparser2";
import { addressesOf } from "./read-list.ts";

/** The addresses that a page links to, in their order, each once; without links that are marked `nofollow`. */
export function pageLinks(html: string, url: string): string[] {
  const found: string[] = [];
  let base = url;
  const parser = new Parser({
    onopentag(name, { href, rel }) {
      if (href === undefined) return;
      if (name === "base" && base === url && URL.canParse(href, url)) base = new URL(href, url).href;
      if ((name === "a" || name === "area") && !/\bnofollow\b/i.test(rel ?? "")) found.push(href);
    },
  });
  parser.write(html);
  parser.end();
  return addressesOf(found, base);
}
