import { Readability } from "@mozilla/readability";
import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";

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

/**
 * The readable text of a page, a section per heading: its main article where one can be told from the rest, else all of
 * its body. The page is parsed without running or loading anything of it.
 */
export function readHtml(html: string): ReadPage {
  const page = new DOMParser().parseFromString(html, "text/html");
  const title = page.title.trim();
  const whole = sectionsOf(page.body);
  const article = new Readability(page, { charThreshold: 200 }).parse();
  if (!article?.content) return { title, sections: whole };
  const main = new DOMParser().parseFromString(article.content, "text/html");
  const sections = sectionsOf(main.body);
  return { title: article.title?.trim() || title, sections: lengthOf(sections) >= 200 ? sections : whole };
}

function lengthOf(sections: readonly DocumentSection[]): number {
  return sections.reduce((sum, section) => sum + section.text.length, 0);
}

function sectionsOf(root: Element): DocumentSection[] {
  const sections: DocumentSection[] = [];
  const path: { level: number; title: string }[] = [];
  let text = "";

  const close = () => {
    const body = text
      .replace(/[^\S\n]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    if (body !== "") sections.push({ headings: path.map(({ title }) => title), text: body });
    text = "";
  };
  const walk = (element: Element) => {
    for (const child of element.childNodes) {
      if (child instanceof Text) {
        const words = child.data.replace(/\s+/g, " ");
        text += /\s$/.test(text) ? words.trimStart() : words;
      }
      if (!(child instanceof Element) || unread.has(child.tagName.toUpperCase())) continue;
      const level = /^H([1-6])$/.exec(child.tagName)?.[1];
      if (level !== undefined) {
        close();
        while ((path.at(-1)?.level ?? 0) >= Number(level)) path.pop();
        const title = (child.textContent ?? "").replace(/\s+/g, " ").trim();
        if (title !== "") path.push({ level: Number(level), title });
      } else if (child.tagName === "PRE") text += `\n${child.textContent ?? ""}\n\n`;
      else {
        const apart = blocks.has(child.tagName);
        if (apart) text += child.tagName === "LI" ? "\n- " : "\n";
        walk(child);
        if (apart) text += child.tagName === "LI" || child.tagName === "TR" ? "\n" : "\n\n";
        else if (child.tagName === "BR") text += "\n";
        else if (child.tagName === "TD" || child.tagName === "TH") text += " | ";
      }
    }
  };
  walk(root);
  close();
  return sections;
}
