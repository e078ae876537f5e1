import { openPackage } from "./office-package.ts";
import { type ReadPage, readHtmlBody } from "./read-html.ts";
import { xmlEvents } from "./xml-events.ts";

/** The text of a book in the order in which it is read, a section per heading. */
export function readEpub(bytes: Uint8Array): ReadPage {
  const opened = openPackage(bytes, "META-INF/container.xml", "an EPUB book");
  let book = "";
  xmlEvents(opened.text("META-INF/container.xml") ?? "", {
    open: (name, attributes) => {
      if (/^(\w+:)?rootfile$/.test(name)) book ||= attributes["full-path"] ?? "";
    },
  });
  const folder = book.slice(0, book.lastIndexOf("/") + 1);
  const items = new Map<string, string>();
  const pages: string[] = [];
  let title = "";
  let isTitle = false;
  xmlEvents(opened.text(book) ?? "", {
    open(name, { id, href, idref }) {
      isTitle = name === "dc:title" && title === "";
      if (/^(\w+:)?item$/.test(name) && id !== undefined && href !== undefined) items.set(id, href);
      if (/^(\w+:)?itemref$/.test(name) && idref !== undefined) pages.push(idref);
    },
    text(text) {
      if (isTitle) title += text;
    },
    close: () => (isTitle = false),
  });
  const read = pages.flatMap((id) => {
    const href = items.get(id);
    const page = href === undefined ? undefined : opened.text(pathOf(folder, href));
    return page === undefined ? [] : [readHtmlBody(page)];
  });
  return {
    title: title.trim(),
    sections: read.flatMap(({ sections }) => sections),
    tables: read.flatMap(({ tables }) => tables),
  };
}

/** A path in the archive that a part in `folder` names. */
function pathOf(folder: string, href: string): string {
  const url = new URL(href, `file:///${folder}`);
  return decodeURIComponent(url.pathname.slice(1));
}
