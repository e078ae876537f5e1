import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import { parse, serialize } from "parse5";
import type { DocumentTable } from "../../engine/file/documents.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

export interface ReadPage {
  /** Empty where the page names none. */
  title: string;
  sections: DocumentSection[];
  tables: DocumentTable[];
}

const blocks = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DIV DL DT FIGCAPTION FIGURE FOOTER HEADER LI MAIN NAV OL P PRE SECTION TABLE TR UL".split(
    " ",
  ),
);
const unread = new Set("SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT HEAD".split(" "));

/** Elements of a page in which the article is looked for, which compares them many times over. */
const mostElements = 50_000;

/**
 * The readable text of a page, a section per heading: its main article where one can be told from the rest, else all of
 * its body. Nothing of the page runs or is loaded. It needs no browser, so it can be done in a thread with a deadline.
 */
export function readHtml(html: string): ReadPage {
  const page = parsePage(html);
  const title = page.title.trim();
  const whole = { sections: sectionsOf(page.body), tables: tablesOf(page) };
  const article = mainArticle(page);
  if (!article?.content) return { title, ...whole };
  const sections = sectionsOf(parsePage(article.content).body);
  return { title: article.title?.trim() || title, ...whole, ...(lengthOf(sections) >= 200 ? { sections } : {}) };
}

/** All text of a page's body, a section per heading, with what a document says before and after its article. */
export function readHtmlBody(html: string): ReadPage {
  const page = parsePage(html);
  return { title: page.title.trim(), sections: sectionsOf(page.body), tables: tablesOf(page) };
}

/** The innermost tables. */
function tablesOf(page: Document): DocumentTable[] {
  return [...page.getElementsByTagName("table")].flatMap((table): DocumentTable[] => {
    if (table.getElementsByTagName("table").length > 0) return [];
    const name = wordsOf(table.getElementsByTagName("caption")[0]);
    const rows = [...table.getElementsByTagName("tr")].map((row) =>
      [...row.children].filter(({ tagName }) => /^T[DH]$/i.test(tagName)).map(wordsOf),
    );
    return rows.length > 0 ? [{ name, rows }] : [];
  });
}

/** A row of a table whose cells are words. */
const isRow = (element: Element) =>
  element.tagName === "TR" &&
  element.getElementsByTagName("table").length + element.getElementsByTagName("pre").length === 0;

const wordsOf = (element: Element | undefined) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();

/** parse5 mends markup as browsers do; linkedom reads what is well-formed and has the document that Readability needs. */
function parsePage(html: string): Document {
  return parseHTML(serialize(parse(html))).document;
}

/** Null where none can be told from the rest, or where looking for it would take too long. */
function mainArticle(page: Document) {
  if (page.getElementsByTagName("*").length > mostElements) return null;
  return new Readability(page, { charThreshold: 200, maxElemsToParse: mostElements }).parse();
}

const [elementNode, textNode] = [1, 3];

function isElement(node: Node): node is Element {
  return node.nodeType === elementNode;
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
      if (child.nodeType === textNode) {
        const words = (child.nodeValue ?? "").replace(/\s+/g, " ");
        add(spaced ? words.trimStart() : words);
      }
      if (!isElement(child) || unread.has(child.tagName.toUpperCase())) continue;
      const level = /^H([1-6])$/.exec(child.tagName)?.[1];
      if (level !== undefined) {
        close();
        while ((path.at(-1)?.level ?? 0) >= Number(level)) path.pop();
        const title = (child.textContent ?? "").replace(/\s+/g, " ").trim();
        if (title !== "") path.push({ level: Number(level), title });
      } else if (isRow(child)) add(`\n${[...child.children].map(wordsOf).join(" | ")}\n`);
      else if (child.tagName === "PRE") add(`\n${child.textContent ?? ""}\n\n`);
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
