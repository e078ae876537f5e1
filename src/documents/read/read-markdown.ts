import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const underline = /^ {0,3}(=+|-{2,})\s*$/;

/** A section per heading; lines inside fenced code are no headings, front matter is left out. */
export function readMarkdown(text: string): DocumentSection[] {
  const sections: DocumentSection[] = [];
  const path: { level: number; title: string }[] = [];
  let lines: string[] = [];
  let open: string | null = null;

  const close = () => {
    const body = lines.join("\n").trim();
    if (body !== "") sections.push({ headings: path.map(({ title }) => title), text: body });
    lines = [];
  };
  const enter = (level: number, title: string) => {
    close();
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    if (title !== "") path.push({ level, title });
  };

  for (const line of withoutFrontMatter(text).split(/\r?\n/)) {
    const mark = fence.exec(line)?.[1];
    if (open !== null) {
      if (mark?.startsWith(open)) open = null;
      lines.push(line);
      continue;
    }
    const [, hashes, title] = heading.exec(line) ?? [];
    const [, rule] = underline.exec(line) ?? [];
    const above = lines.at(-1)?.trim() ?? "";
    // A line under a single line of text makes that a heading (setext).
    if (rule !== undefined && above !== "" && (lines.length === 1 || lines.at(-2)?.trim() === "")) {
      lines.pop();
      enter(rule.startsWith("=") ? 1 : 2, plain(above));
    } else if (hashes !== undefined) enter(hashes.length, plain(title ?? ""));
    else {
      if (mark !== undefined) open = mark;
      lines.push(line);
    }
  }
  close();
  return sections;
}

/** What stands between two lines of `---` at the beginning. */
export const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

const withoutFrontMatter = (text: string) => text.replace(frontMatter, "");

/** A heading's words without emphasis, code marks and link targets. */
function plain(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]+/g, "")
    .trim();
}
