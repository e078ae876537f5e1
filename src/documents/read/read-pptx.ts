import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { openPackage } from "./office-package.ts";
import { xmlEvents } from "./xml-events.ts";

/** A section per slide of a presentation, its title as the heading, with the notes of the speaker. */
export function readPptx(bytes: Uint8Array): DocumentSection[] {
  const opened = openPackage(bytes, "ppt/presentation.xml", "a PowerPoint file");
  return slidesOf(
    opened.text("ppt/presentation.xml") ?? "",
    opened.text("ppt/_rels/presentation.xml.rels") ?? "",
  ).flatMap((path, index): DocumentSection[] => {
    const { title, lines } = shapesOf(opened.text(path) ?? "");
    const rels = opened.text(path.replace("slides/", "slides/_rels/").concat(".rels")) ?? "";
    const notes = /Target="\.\.\/(notesSlides\/[^"]+)"/.exec(rels)?.[1];
    const spoken = notes === undefined ? [] : shapesOf(opened.text(`ppt/${notes}`) ?? "", "body").lines;
    const text = [...lines, ...(spoken.length > 0 ? ["", "Notes:", ...spoken] : [])].join("\n").trim();
    if (text === "" && title === "") return [];
    return [{ headings: title === "" ? [] : [title], text: text || title, metadata: { slide: index + 1 } }];
  });
}

/** Paths of the slides in the order in which they are shown. */
function slidesOf(presentation: string, relations: string): string[] {
  const targets = new Map<string, string>();
  xmlEvents(relations, {
    open: (_name, { Id, Target }) => {
      if (Id !== undefined && Target !== undefined) targets.set(Id, Target.replace(/^\/?(ppt\/)?/, "ppt/"));
    },
  });
  const slides: string[] = [];
  xmlEvents(presentation, {
    open: (name, attributes) => {
      const path = name === "p:sldId" ? targets.get(attributes["r:id"] ?? "") : undefined;
      if (path !== undefined) slides.push(path);
    },
  });
  return slides;
}

/** The paragraphs of a slide. Cells of a row stand on one line; `only` leaves out placeholders of other types. */
function shapesOf(xml: string, only?: string): { title: string; lines: string[] } {
  const title: string[] = [];
  const lines: string[] = [];
  let type = "";
  let cells: string[] | undefined;
  let text = "";
  let isText = false;
  xmlEvents(xml, {
    open(name, attributes) {
      if (name === "p:sp") type = "";
      else if (name === "p:ph") type = attributes["type"] ?? "body";
      else if (name === "a:tr") cells = [];
      else if (name === "a:tc") cells?.push("");
      else if (name === "a:p") text = "";
      else if (name === "a:br") text += "\n";
      isText = name === "a:t";
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      isText = false;
      if (name === "a:p") {
        const isShown = only === undefined ? !/^(dt|ftr|sldNum)$/.test(type) : type === only;
        const words = text.trim();
        if (words === "" || !isShown) return;
        if (cells) cells[cells.length - 1] = [cells.at(-1), words].filter(Boolean).join(" ");
        else if (/^(ctrT|t)itle$/.test(type)) title.push(words);
        else lines.push(words);
      } else if (name === "a:tr" && cells) {
        lines.push(cells.join(" | "));
        cells = undefined;
      }
    },
  });
  return { title: title.join(" "), lines };
}
