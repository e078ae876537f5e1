import { Readability } from "@mozilla/readability";
import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import { ServiceError } from "../../../stores/services.ts";
import { longestText } from "../source-limits.ts";

interface ReadPage {
  /** Empty where the page names none. */
  title: string;
  sections: DocumentSection[];
}

const blocks = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DIV DL DT FIGCAPTION FIGURE FOOTER HEADER LI MAIN NAV OL P PRE SECTION TABLE TR UL".split(
    " ",
  ),
);
const unread = new Set("SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT HEAD".split(" "));

/** Tags of a page that is parsed at all; the longest articles have some tens of thousands. */
const mostTags = 400_000;
/** Elements of a page in which the article is looked for, which compares them many times over. */
const mostElements = 50_000;

/**
 * The readable text of a page, a section per heading: its main article where one can be told from the rest, else all of
 * its body. The page is parsed without running or loading anything of it.
 * Limits stand in place of a worker with a deadline: workers have no DOMParser. Throws a ServiceError beyond them.
 */
export function readHtml(html: string): ReadPage {
  refuseTooLarge(html);
  const page = new DOMParser().parseFromString(html, "text/html");
  const title = page.title.trim();
  const whole = sectionsOf(page.body);
  const article = mainArticle(page);
  if (!article?.content) return { title, sections: whole };
  const main = new DOMParser().parseFromString(article.content, "text/html");
  const sections = sectionsOf(main.body);
  return { title: article.title?.trim() || title, sections: lengthOf(sections) >= 200 ? sections : whole };
}

function refuseTooLarge(html: string): void {
  const hint = "Save the part that matters as a page of its own, or paste its text.";
  if (html.length > longestText) {
    const message = `The page has ${Math.ceil(html.length / 1e6)} million characters; ${longestText / 1e6} million are read.`;
    throw new ServiceError("invalid", message, hint);
  }
  let tags = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) tags += 1;
  if (tags <= mostTags) return;
  throw new ServiceError("invalid", `The page has more than ${mostTags.toLocaleString("en")} tags.`, hint);
}

/** Null where none can be told from the rest, or where looking for it would take too long. */
function mainArticle(page: Document) {
  if (page.getElementsByTagName("*").length > mostElements) return null;
  return new Readability(page, { charThreshold: 200, maxElemsToParse: mostElements }).parse();
}

function lengthOf(sections: readonly DocumentSection[]): number {
  return sections.reduce((sum, section) => sum + section.text.length, 0);
}

function sectionsOf(root: Element): DocumentSection[] {
  const sections: DocumentSection[] = [];
  const path: { level: number; title: string }[] = [];
  // Pieces, and whether they end in a space: to look at the end of a text that grows copies all of it each time.
  let pieces: string[] = [];
  let spaced = false;
  const add = (piece: string) => {
    if (piece === "") return;
    pieces.push(piece);
    spaced = /\s/.test(piece.slice(-1));
  };

  const close = () => {
    const lines = pieces.join("").split("\n");
    const body = lines
      .map((line) => line.trimEnd())
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    if (body !== "") sections.push({ headings: path.map(({ title }) => title), text: body });
    pieces = [];
    spaced = false;
  };
  const walk = (element: Element) => {
    for (const child of element.childNodes) {
      if (child instanceof Text) {
        const words = child.data.replace(/\s+/g, " ");
        add(spaced ? words.trimStart() : words);
      }
      if (!(child instanceof Element) || unread.has(child.tagName.toUpperCase())) continue;
      const level = /^H([1-6])$/.exec(child.tagName)?.[1];
      if (level !== undefined) {
        close();
        while ((path.at(-1)?.level ?? 0) >= Number(level)) path.pop();
        const title = (child.textContent ?? "").replace(/\s+/g, " ").trim();
        if (title !== "") path.push({ level: Number(level), title });
      } else if (child.tagName === "PRE") add(`\n${child.textContent ?? ""}\n\n`);
      else {
        const apart = blocks.has(child.tagName);
        if (apart) add(child.tagName === "LI" ? "\n- " : "\n");
        walk(child);
        if (apart) add(child.tagName === "LI" || child.tagName === "TR" ? "\n" : "\n\n");
        else if (child.tagName === "BR") add("\n");
        else if (child.tagName === "TD" || child.tagName === "TH") add(" | ");
      }
    }
  };
  walk(root);
  close();
  return sections;
}
