import { openPackage } from "./office-package.ts";
import { type ReadPage, readHtmlBody } from "./read-html.ts";
import { xmlEvents } from "./xml-events.ts";

/** Elements of OpenDocument and what they are in HTML. */
const elements: Readonly<Record<string, string>> = {
  "text:p": "p",
  "text:list": "ul",
  "text:list-item": "li",
  "table:table": "table",
  "table:table-row": "tr",
  "table:table-cell": "td",
};

/** What is no text of the document: comments, deleted text, the index, which repeats headings. */
const left = new Set([
  "office:annotation",
  "text:tracked-changes",
  "text:table-of-content",
  "office:forms",
  "svg:title",
  "svg:desc",
]);

/** The text of an OpenDocument text, a section per heading. */
export function readOdt(bytes: Uint8Array): ReadPage {
  const opened = openPackage(bytes, "content.xml", "an OpenDocument text");
  let html = "";
  let leaving = 0;
  const tags: string[] = [];
  let inText = 0;
  xmlEvents(opened.text("content.xml") ?? "", {
    open(name, attributes) {
      if (left.has(name)) leaving += 1;
      const level = Math.min(Math.max(Number(attributes["text:outline-level"]) || 1, 1), 6);
      const tag = name === "text:h" ? `h${level}` : (elements[name] ?? "");
      tags.push(tag);
      if (name === "text:p" || name === "text:h") inText += 1;
      if (leaving > 0) return;
      if (tag !== "") html += `<${tag}>`;
      else if (name === "text:s") html += " ".repeat(Math.min(Number(attributes["text:c"]) || 1, 100));
      else if (name === "text:tab") html += " ";
      else if (name === "text:line-break") html += "<br>";
    },
    text(text) {
      if (leaving === 0 && inText > 0) html += text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    },
    close(name) {
      const tag = tags.pop() ?? "";
      if (name === "text:p" || name === "text:h") inText -= 1;
      if (tag !== "" && leaving === 0) html += `</${tag}>`;
      if (left.has(name)) leaving -= 1;
    },
  });
  return readHtmlBody(html);
}
