import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { isIntricate } from "./intricate-markdown.ts";
import MarkdownContent from "./markdown-content.tsx";

const stairs = (levels: number) => Array.from({ length: levels }, (_, level) => `${"  ".repeat(level)}- a`).join("\n");

const bombs: [string, string][] = [
  ["quotes within quotes", `${"> ".repeat(2_000)}a`],
  ["quotes without spaces", `${">".repeat(10_000)}a`],
  ["lists within lists", stairs(800)],
  ["lists on one line", `${"- ".repeat(1_000)}a`],
  ["brackets", "[".repeat(20_000)],
  ["links in links", "[a](".repeat(5_000)],
  ["pictures in pictures", `${"![".repeat(2_000)}a${"](x)".repeat(2_000)}`],
  ["emphasis", "*a ".repeat(5_000)],
  ["mixed emphasis", "**a_b".repeat(3_000)],
  ["code in code", Array.from({ length: 300 }, (_, at) => "`".repeat(at)).join(" ")],
  ["a wide table", `|${"a|".repeat(600)}\n`.repeat(30)],
  ["addresses", "a@a.".repeat(40_000)],
  ["references to references", `${"[a]: b\n".repeat(4_000)}${"[a]".repeat(4_000)}`],
  ["a hundred thousand paragraphs", "a\n\n".repeat(60_000)],
  ["paragraphs full of signs", `${"*a ".repeat(1_000)}\n\n`.repeat(60)],
];

test.each(bombs)("S72 shows as it is what would stop the page: %s", (_name, text) => {
  expect(isIntricate(text)).toBe(true);
});

test("S72 lays out what people and models write, and can: code of any look, deep lists, long tables", () => {
  const written = [
    `${"> ".repeat(20)}a`,
    stairs(20),
    `| a | b |\n|---|---|\n${"| **x** | `y` |\n".repeat(60)}`,
    `\`\`\`json\n${"[{".repeat(5_000)}\n${" ".repeat(500)}x\n\`\`\``,
    `${"Some words with *stress* and a [link](https://example.com).\n\n".repeat(40)}`,
    `${"-".repeat(200)}\n\nA line under a line.`,
    "[".repeat(1_400),
  ];
  for (const text of written) {
    expect(isIntricate(text), text.slice(0, 40)).toBe(false);
    expect(renderToStaticMarkup(<MarkdownContent text={text} />).length).toBeGreaterThan(0);
  }
});
