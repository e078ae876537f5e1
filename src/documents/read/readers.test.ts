import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../../engine/knowledge/source-document.ts";
import { documentsInThreads } from "../../../worker/runtime/documents.ts";
import { makePdf } from "../testing/make-pdf.ts";
import { pdfSections } from "../pdf/pdf-sections.ts";
import { readCsv as readTable } from "./read-csv.ts";
import { readHtml } from "./read-html.ts";
import { jsonSections, readJson as parseJson } from "./read-json.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readPdf } from "../pdf/read-pdf.ts";
import { doWork } from "../do-work.ts";
import { documentIn } from "../documents.ts";
import { readText } from "./read-text.ts";
import { tableSections } from "./table-sections.ts";

const signal = () => new AbortController().signal;
const readCsv = (text: string) => tableSections(readTable(text));
const readJson = (text: string) => jsonSections(parseJson(text));

interface TextRequest {
  kind: DocumentKind;
  text: string;
}

const work = ({ kind, text }: TextRequest) => ({
  do: "read" as const,
  kind,
  file: { name: "a", mediaType: "text/plain", bytes: new TextEncoder().encode(text) },
});

/** Reads texts in a thread, as the studio does. */
function textReaderInThread(deadlineMs: number) {
  const documents = documentsInThreads({ deadlineMs });
  return async (request: TextRequest, stop: AbortSignal) => documentIn(await documents(work(request), stop));
}
const shape = (sections: readonly { headings: readonly string[]; text: string }[]) =>
  sections.map(({ headings, text }) => [headings.join(" / "), text]);

describe("front matter", () => {
  const metadataIn = async (text: string) => {
    const answer = await doWork(work({ kind: "markdown", text }));
    return documentIn(answer).metadata;
  };

  it("is what a file can be found by: texts, numbers, yes or no, and lists of texts", async () => {
    const written = [
      "title: The handbook",
      "year: 2025",
      "day: 2025-03-01",
      "draft: false",
      "tags: [new, big]",
      'code: "007"',
      "page: 3",
      "author: { name: Ada }",
      "mixed: [1, a]",
      "not a name: x",
      "empty:",
    ].join("\n");
    expect(await metadataIn(`---\n${written}\n---\n# Text`)).toEqual({
      title: "The handbook",
      year: 2025,
      day: "2025-03-01",
      draft: false,
      tags: ["new", "big"],
      code: "007",
    });
  });

  it.each([
    ["none", "# Text"],
    ["YAML that is none", "---\n: [\n---\nText"],
    ["a list", "---\n- a\n---\nText"],
    ["too much", `---\na: ${"x".repeat(17_000)}\n---\nText`],
    ["aliases without end", `---\na: &a [x]\nb: &b [${"*a,".repeat(20)}]\nc: [${"*b,".repeat(20)}]\n---\nText`],
  ])("says nothing where it is %s", async (_name, text) => {
    expect(await metadataIn(text)).toBeUndefined();
  });
});

describe("readMarkdown", () => {
  it("takes headings of both kinds as the structure, without their marks", () => {
    const text = [
      "---",
      "title: left out",
      "---",
      "Before.",
      "",
      "# The *Guide* to `sy` ##",
      "Intro.",
      "### Deep [link](https://example.com)",
      "Deep text.",
      "Second",
      "------",
      "After a line of dashes.",
      "",
      "Top",
      "===",
      "Last.",
    ].join("\n");
    expect(shape(readMarkdown(text))).toEqual([
      ["", "Before."],
      ["The Guide to sy", "Intro."],
      ["The Guide to sy / Deep link", "Deep text.\nSecond\n------\nAfter a line of dashes."],
      ["Top", "Last."],
    ]);
  });

  it("takes no heading from fenced code", () => {
    const text = "# A\n```sh\n# a comment\n~~~\n```\ntext\n## B\nmore";
    expect(shape(readMarkdown(text))).toEqual([
      ["A", "```sh\n# a comment\n~~~\n```\ntext"],
      ["A / B", "more"],
    ]);
    expect(readMarkdown("# Only a heading")).toEqual([]);
  });
});

describe("readCsv", () => {
  it("makes a section per row, with the names of the columns", () => {
    expect(readCsv('name;city\nAnn;"Berlin; Mitte"\n;\nBob;\n')).toEqual([
      { headings: [], text: "name: Ann\ncity: Berlin; Mitte", metadata: { row: 2 }, alone: true },
      { headings: [], text: "name: Bob", metadata: { row: 4 }, alone: true },
    ]);
    expect(readCsv("a\tb\n1\t2")[0]?.text).toBe("a: 1\nb: 2");
    expect(readCsv("a,\n1,2,3")[0]?.text).toBe("a: 1\nColumn 2: 2\nColumn 3: 3");
    expect(readCsv("\n\ta\n1\t2")[0]?.text).toBe("Column 1: 1\na: 2");
  });

  it("takes time in line with the size of a table that is padded with spaces", () => {
    const padding = " ".repeat(1_000_000);
    expect(readCsv(`a,b\n1,2${padding}\n3,4${padding}`).map(({ text }) => text)).toEqual(["a: 1\nb: 2", "a: 3\nb: 4"]);
    expect(readCsv("")).toEqual([]);
  });

  it("reads wide tables and cells of several lines", () => {
    const names = Array.from({ length: 50 }, (_, n) => `column ${n}`);
    const cells = names.map((_, n) => `"line one of ${n}\r\nline ""two"", of ${n}"`);
    const [row, ...others] = readCsv(`${names.join(",")}\r\n${cells.join(",")}\r\n`);
    expect(others).toEqual([]);
    expect(row?.text.split("\n")).toHaveLength(100);
    expect(row?.text).toContain('column 49: line one of 49\r\nline "two", of 49');
  });

  it("says where a quote is not closed", () => {
    expect(() => readCsv('a,b\n1,"two\n3,4')).toThrow(/a quote.*is not closed/);
  });
});

describe("readJson", () => {
  it("makes a section per entry of a list, or per member", () => {
    expect(readJson('[{"q":"Why?","tags":["a","b"]},{"q":"How?","n":null,"deep":{"x":1}}]')).toEqual([
      { headings: ["Entry 1"], text: "q: Why?\ntags:\n  - a\n  - b", metadata: { entry: 1 } },
      { headings: ["Entry 2"], text: "q: How?\nn: \ndeep:\n  x: 1", metadata: { entry: 2 } },
    ]);
    expect(shape(readJson('{"name":"Shop","items":[{"id":1},{"id":2}],"tags":["x"]}'))).toEqual([
      ["name", "Shop"],
      ["items / Entry 1", "id: 1"],
      ["items / Entry 2", "id: 2"],
      ["tags", "- x"],
    ]);
    expect(shape(readJson('{"a":1}\n{"a":2}\n'))).toEqual([
      ["Entry 1", "a: 1"],
      ["Entry 2", "a: 2"],
    ]);
    expect(shape(readJson('"only words"'))).toEqual([["", "only words"]]);
  });

  it("says what is wrong with broken JSON", () => {
    expect(() => readJson("{ broken")).toThrow(/not valid JSON/);
    expect(() => readJson('{"a":1}\nbroken')).toThrow(/not valid JSON/);
  });
});

describe("readHtml", () => {
  const article = `<!doctype html><html><head><title>Lamp care – Shop</title><style>p { color: red }</style></head><body>
<nav><a href="/">Home</a> <a href="/cart">Cart</a></nav>
<article><h1>Lamp care</h1>
<p>${"Dust the shade with a dry cloth every month, never with water. ".repeat(6)}</p>
<h2>Bulbs &amp; sockets</h2><p>Use bulbs of at most <b>nine</b> watts. ${"Let them cool before you touch them. ".repeat(6)}</p>
<ul><li>E27 for tall lamps<li>E14 for small ones</ul>
<table><tr><th>Model<th>Watts<tr><td>Alder<td>9</table>
<script>globalThis.ran = true; document.title = "x"</script><img src="/track.png" onerror="globalThis.ran = true"></article>
<footer>Imprint and cookies</footer></body></html>`;

  it("takes a page's article by its headings, mends its markup, and runs nothing of it", async () => {
    const { title, sections } = await textReaderInThread(600_000)({ kind: "html", text: article }, signal());
    expect("ran" in globalThis).toBe(false);
    expect(title).toBe("Lamp care – Shop");
    expect(JSON.stringify(sections)).not.toMatch(/Imprint|Cart|color: red|\.ran/);
    const bulbs = sections.find(({ headings }) => headings.at(-1) === "Bulbs & sockets");
    expect(bulbs?.text).toContain("Use bulbs of at most nine watts.");
    expect(bulbs?.text).toContain("- E27 for tall lamps\n");
    expect(bulbs?.text).toContain("Alder | 9");
  });

  it("takes a page without an article whole", () => {
    expect(readHtml("<p>Short</p><h3>Under</h3>one<br>two<pre>a\n  b</pre>")).toEqual({
      title: "",
      tables: [],
      sections: [
        { headings: [], text: "Short" },
        { headings: ["Under"], text: "one\ntwo\na\n  b" },
      ],
    });
    expect(readHtml("")).toEqual({ title: "", sections: [], tables: [] });
    expect(readHtml("Words alone, <b>and bold").sections).toEqual([{ headings: [], text: "Words alone, and bold" }]);
  });

  it("S72 reads pages of many elements and of spaces without end", async () => {
    const read = textReaderInThread(600_000);
    const many = await read({ kind: "html", text: "<p>Some words.</p>".repeat(60_000) }, signal());
    expect(many.sections[0]?.text.length).toBe(60_000 * 13 - 2);
    const spaces = await read({ kind: "html", text: `<pre>a${" ".repeat(2_000_000)}b</pre>` }, signal());
    expect(spaces.sections[0]?.text.length).toBe(2_000_002);
  });

  it("S72 says of a page that is nested deeper than the stack what to do", async () => {
    const answer = await doWork(work({ kind: "html", text: `${"<div>".repeat(20_000)}Words` }));
    expect(answer).toEqual({
      ok: false,
      message: "The file is nested too deep to be read.",
      hint: "Simplify it, or paste its text as plain text.",
    });
  });

  it("S72 ends a page that takes too long", async () => {
    // Each element looks through all that are open: that takes more than a minute, and no more memory than there is.
    const deep = "<div>".repeat(300_000);
    const reading = textReaderInThread(1_000)({ kind: "html", text: deep }, signal());
    await expect(reading).rejects.toThrow("took longer than 1 s and was stopped.");
  });
});

describe("S72 texts in a thread of their own", () => {
  const csv = (text: string) => ({ kind: "csv" as const, text });
  // A heading of spaces, in which each could be its end: it takes minutes, and no memory.
  const endless = { kind: "markdown" as const, text: `# a${" ".repeat(1_000_000)}b` };

  it("are stopped at the deadline while the caller goes on, and the next text is read", async () => {
    const read = textReaderInThread(2_000);
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 10);
    await expect(read(endless, signal())).rejects.toMatchObject({
      message: "Reading the file took longer than 2 s and was stopped.",
      hint: expect.stringContaining("Split it"),
    });
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(10);
    expect(shape((await read(csv("a,b\n1,2"), signal())).sections)).toEqual([["", "a: 1\nb: 2"]]);
  });

  it("are stopped where they take more memory than there is, and the next text is read", async () => {
    const read = textReaderInThread(600_000);
    const quotes = read(csv(`a,b\n${'"a"b'.repeat(4_500_000)}`), signal());
    await expect(quotes).rejects.toThrow("Reading the file needed more memory than there is, and was stopped.");
    expect(shape((await read(csv("a,b\n1,2"), signal())).sections)).toEqual([["", "a: 1\nb: 2"]]);
  });

  it("are stopped with the signal", async () => {
    const stop = new AbortController();
    const reading = textReaderInThread(600_000)(endless, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 200);
    await expect(reading).rejects.toThrow("stopped");
  });

  it("are refused where they are too long or have too many rows, and say what is wrong", async () => {
    const read = textReaderInThread(600_000);
    await expect(read(csv("a".repeat(20_000_001)), signal())).rejects.toMatchObject({
      message: "The file has 21 million characters; 20 million are read.",
      hint: "Split it into several files.",
    });
    await expect(read(csv("a\n".repeat(500_002)), signal())).rejects.toMatchObject({
      message: "The table has more than 500,000 rows.",
      hint: "Split it into several files.",
    });
    await expect(read({ kind: "json", text: "{" }, signal())).rejects.toMatchObject({
      message: expect.stringContaining("not valid JSON"),
      hint: expect.stringContaining("Correct the file"),
    });
    const nested = read({ kind: "json", text: `${"[".repeat(200_000)}1${"]".repeat(200_000)}` }, signal());
    await expect(nested).rejects.toThrow("The file is nested too deep to be read");
  });
});

describe("readText", () => {
  it("gives the text, and nothing for none", () => {
    expect(readText("Words.")).toEqual([{ headings: [], text: "Words." }]);
    expect(readText(" \n")).toEqual([]);
  });
});

describe("readPdf", () => {
  const line = (text: string, size = 11) => ({ text, size });

  it("reads pages with their numbers, and larger lines as headings", async () => {
    const pdf = makePdf([
      [
        line("Travel rules", 20),
        line("Trains are booked by the office."),
        line("Flights need an appro-"),
        line("val."),
      ],
      [line("This page goes on."), line("Hotels (up to 3 stars)", 16), line("Breakfast is paid.")],
    ]);
    const sections = await readPdf(pdf, signal(), {});
    expect(sections.map(({ headings, text, metadata }) => [headings.join(), text, metadata?.["page"]])).toEqual([
      ["Travel rules", "Trains are booked by the office.\nFlights need an approval.", 1],
      ["Travel rules", "This page goes on.", 2],
      ["Hotels (up to 3 stars)", "Breakfast is paid.", 2],
    ]);
  });

  it("says that a scanned PDF has no text", async () => {
    await expect(readPdf(makePdf([[]]), signal(), {})).rejects.toMatchObject({
      message: expect.stringContaining("The PDF has no text"),
    });
    await expect(readPdf(makePdf([[], []]), signal(), {})).rejects.toThrow("Its 2 pages are pictures");
  });

  it("says that a broken file cannot be read", async () => {
    const broken = new TextEncoder().encode("%PDF-1.4 and then nothing of the kind");
    await expect(readPdf(broken, signal(), {})).rejects.toMatchObject({
      message: expect.stringContaining("The PDF cannot be read"),
    });
  });

  it("S72 stops at the deadline, and at more text than a document may have", async () => {
    const pages = Array.from({ length: 400 }, (_, n) => [line(`Page ${n} has some words on it.`)]);
    await expect(readPdf(makePdf(pages), signal(), { pdfDeadlineMs: 0 })).rejects.toMatchObject({
      message: "Reading the PDF took longer than 0 s and was stopped.",
      hint: expect.stringContaining("Split it"),
    });
    await expect(readPdf(makePdf(pages), signal(), { longestPdfText: 2_000 })).rejects.toMatchObject({
      message: "The PDF has more than 2,000 characters of text.",
      hint: "Split it into several files.",
    });
  });

  it("stops when it is cancelled", async () => {
    await expect(readPdf(makePdf([[line("Text")]]), AbortSignal.abort(new Error("stopped")), {})).rejects.toThrow(
      "stopped",
    );
  });
});

describe("pdfSections", () => {
  const text = (str: string, height: number) => ({ str, height, hasEOL: true });

  it("makes a section per page where no line stands out, and joins the pieces of a line", () => {
    const pages = [
      { page: 1, items: [{ ...text("Half ", 10), hasEOL: false }, text("a line.", 10)] },
      { page: 2, items: [text("Next page.", 10), text("1", 14)] },
    ];
    expect(pdfSections(pages)).toEqual([
      { headings: [], text: "Half a line.", metadata: { page: 1 } },
      { headings: [], text: "Next page.\n1", metadata: { page: 2 } },
    ]);
    expect(pdfSections([])).toEqual([]);
  });
});
