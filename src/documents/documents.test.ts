import { burn } from "@kenjiuno/msgreader/lib/Burner.js";
import fc from "fast-check";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { documentsInThreads } from "../../worker/runtime/documents.ts";
import type { DocumentAnswer, DocumentWork, NamedBytes } from "../engine/file/documents.ts";
import type { JsonObject } from "../engine/json.ts";
import { doWork } from "./do-work.ts";
import { repack } from "./unpack.ts";
import { makeMappedPdf, makePdf } from "./testing/make-pdf.ts";
import { docx, openDocument, packed, paragraph, pptx, shape, xlsx } from "./testing/office-files.ts";

const file = (name: string, content: Uint8Array | string, mediaType = ""): NamedBytes => ({
  name,
  mediaType,
  bytes: typeof content === "string" ? strToU8(content) : content,
});

async function read(name: string, content: Uint8Array | string) {
  const answer = await doWork({ do: "read", file: file(name, content) });
  if (!answer.ok || !answer.document) throw new Error(JSON.stringify(answer));
  const { sections, ...document } = answer.document;
  const shown = sections.map(({ headings, text }) => [headings.join(" / "), text]);
  return { ...document, shown, sections, files: answer.files };
}

async function made(work: DocumentWork): Promise<NamedBytes> {
  const answer = await doWork(work);
  const [first] = answer.ok ? answer.files : [];
  if (!first) throw new Error(JSON.stringify(answer));
  return first;
}

describe("reading documents", () => {
  it("reads a Word document by its headings, with its tables", async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell("Model")}${cell("Watts")}</w:tr><w:tr>${cell("Alder")}${cell("9")}</w:tr></w:tbl>`;
    const content = docx(paragraph("Lamps", "Heading1") + paragraph("Dust &amp; care.") + table);
    for (const name of ["a.docx", "noending"]) {
      const { kind, shown, tables } = await read(name, content);
      expect(kind).toBe("docx");
      expect(shown[0]?.[0]).toBe("Lamps");
      expect(shown[0]?.[1]).toContain("Dust & care.");
      expect(tables).toEqual([
        {
          name: "",
          rows: [
            ["Model", "Watts"],
            ["Alder", "9"],
          ],
        },
      ]);
    }
  });

  it("reads a presentation in the order in which it is shown, with notes", async () => {
    const slides = [
      shape("title", "First") + shape("body", "One", "Two"),
      shape("body", "Last") + shape("ftr", "Imprint"),
    ];
    const { shown, sections } = await read("a.pptx", pptx(slides, "Smile."));
    expect(shown).toEqual([
      ["First", "One\nTwo\n\nNotes:\nSmile."],
      ["", "Last"],
    ]);
    expect(sections.map(({ metadata }) => metadata)).toEqual([{ slide: 1 }, { slide: 2 }]);
  });

  it("reads OpenDocument texts and sheets", async () => {
    const text = `<text:h text:outline-level="2">Care</text:h><text:p>Two<text:s text:c="2"/>words<office:annotation><text:p>hidden</text:p></office:annotation></text:p>`;
    expect((await read("a.odt", openDocument("text", text))).shown).toEqual([["Care", "Two words"]]);
    const cell = (type: string, value: string, times = 1) =>
      `<table:table-cell table:number-columns-repeated="${times}" office:value-type="${type}" office:value="${value}" office:date-value="${value}"><text:p>${value}</text:p></table:table-cell>`;
    const empty = `<table:table-cell table:number-columns-repeated="16000"/>`;
    const sheet = `<table:table table:name="Stock"><table:table-row>${cell("string", "name")}${cell("string", "n", 2)}${empty}</table:table-row><table:table-row><table:table-cell/>${cell("float", "4.5")}${cell("date", "2026-01-31")}</table:table-row><table:table-row table:number-rows-repeated="1048000">${empty}</table:table-row></table:table>`;
    const { tables, shown } = await read("a.ods", openDocument("spreadsheet", sheet));
    expect(tables).toEqual([
      {
        name: "Stock",
        rows: [
          ["name", "n", "n"],
          [null, 4.5, "2026-01-31"],
        ],
      },
    ]);
    expect(shown).toEqual([["Stock", "n: 4.5\nn: 2026-01-31"]]);
  });

  it("reads a book in the order of its spine", async () => {
    const book = packed({
      mimetype: "application/epub+zip",
      "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
      "OEBPS/book.opf": `<package><metadata><dc:title>Lamps</dc:title></metadata><manifest><item id="b" href="two.xhtml"/><item id="a" href="one%20a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
      "OEBPS/one a.xhtml": "<html><body><h1>One</h1><p>First.</p></body></html>",
      "OEBPS/two.xhtml": "<html><body><h1>Two</h1><p>Second.</p></body></html>",
    });
    const { title, shown } = await read("a.epub", book);
    expect(title).toBe("Lamps");
    expect(shown).toEqual([
      ["One", "First."],
      ["Two", "Second."],
    ]);
  });

  it("reads Rich Text in its code page and in Unicode", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}\uc1 {\*\generator x;}\'cf\'f0\'e8 \{\u26085?\u-10179?\u-8704?\}\par\b Bold\b0\tab end}`;
    expect((await read("a.rtf", rtf)).shown).toEqual([["", "При {日😀}\nBold\tend"]]);
  });

  it("reads emails of both kinds, with what is attached", async () => {
    const eml = [
      "From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>",
      "To: ann@example.com, Bob <bob@example.com>",
      "Subject: Invoice",
      "Date: Sat, 31 Jan 2026 10:00:00 +0100",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/html; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<p>Gr=FC=DFe</p>",
      "--b",
      "Content-Type: text/csv",
      'Content-Disposition: attachment; filename="a.csv"',
      "",
      "x,y",
      "--b--",
    ].join("\r\n");
    const { about, shown, files, title } = await read("a.eml", eml);
    expect(title).toBe("Invoice");
    expect(about).toEqual({
      subject: "Invoice",
      from: "Jörg <joerg@example.com>",
      to: "ann@example.com, Bob <bob@example.com>",
      date: "2026-01-31T09:00:00.000Z",
    });
    expect(shown.at(-1)?.[1]).toBe("Grüße");
    expect(shown[0]?.[1]).toContain("Attachments: a.csv");
    expect(files.map(({ name, mediaType, bytes }) => [name, mediaType, bytes.length])).toEqual([
      ["a.csv", "text/csv", 4],
    ]);

    const msg = await read("a.msg", outlookMail({ "0037001F": "Angebot", "1000001F": "Grüße", "0C1A001F": "Jörg" }));
    expect(msg).toMatchObject({ about: { subject: "Angebot", from: "Jörg" } });
    expect(msg.shown.at(-1)).toEqual(["", "Grüße"]);
  });

  it("reads XML as data, its entities those of XML alone", async () => {
    const xml = `<?xml version="1.0"?><order id="7"><line>A &amp; B</line><line n="2">C</line><empty/><__proto__>x</__proto__></order>`;
    const { data } = await read("a.xml", xml);
    expect(JSON.stringify(data)).toBe(
      '{"order":{"@id":"7","line":["A & B",{"@n":"2","#text":"C"}],"empty":"","__proto__":"x"}}',
    );
  });
});

/** A ZIP archive of twenty entries that all are the same bytes, and say that they unpack to none. */
function overlapping(compression: number): Uint8Array {
  const archive = zipSync({ a: new Uint8Array(100_000) }, { level: 0 });
  const view = new DataView(archive.buffer);
  const end = archive.length - 22;
  const list = view.getUint32(end + 16, true);
  view.setUint16(list + 10, compression, true);
  view.setUint32(list + 24, 0, true);
  const entries = Array.from({ length: 20 }, (_, number) => {
    const entry = archive.slice(list, end);
    entry[46] = 97 + number;
    return entry;
  });
  view.setUint16(end + 8, entries.length, true);
  view.setUint16(end + 10, entries.length, true);
  return new Uint8Array(Buffer.concat([archive.subarray(0, list), ...entries, archive.subarray(end)]));
}

describe("S72 documents that unpack to too much", () => {
  const failure = async (name: string, content: Uint8Array | string, does: "read" | "unzip" = "read") => {
    const answer = await doWork({ do: does, file: file(name, content) });
    return answer.ok ? answer : `${answer.message} ${answer.hint}`;
  };
  const zeros = new Uint8Array(70 * 1024 * 1024);

  it("are refused before they are unpacked: archives, and Office files", async () => {
    const big = zipSync({ a: zeros, b: zeros, "word/document.xml": zeros });
    expect(await failure("a.zip", big, "unzip")).toMatch(/unpacks to more than 200 MB/);
    expect(await failure("a.docx", big)).toMatch(/unpacks to more than 200 MB/);
    const many = zipSync(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`f${n}`, new Uint8Array(1)])));
    expect(await failure("a.zip", many, "unzip")).toMatch(/more than 500 files/);
  });

  it.each([
    ["stored", 0],
    ["compressed", 8],
  ])("S72 are refused where entries share their bytes: %s", async (_case, compression) => {
    expect(await failure("a.zip", overlapping(compression), "unzip")).toMatch(/more bytes than the archive/);
  });

  it("S72 are refused where too much is attached to an email", async () => {
    const part = "--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\nx\n";
    const head = 'From: a@example.com\nContent-Type: multipart/mixed; boundary="b"\n\n';
    expect(await failure("a.eml", `${head}${part.repeat(501)}--b--`)).toMatch(/More than 500 files are attached/);
  });

  it("S72 keep archives inside an archive packed", async () => {
    const inner = zipSync({ a: zeros });
    const answer = await doWork({
      do: "unzip",
      file: file("a.zip", zipSync({ "x/inner.zip": inner, "y/inner.zip": inner })),
    });
    expect(answer).toMatchObject({ ok: true, files: [{ name: "inner.zip", bytes: inner }, { name: "inner.zip" }] });
    expect(await failure("a.zip", packed({ "a.txt": "x" }))).toMatch(
      /kind of file that cannot be read.*unpack an archive/s,
    );
  });

  it("are refused where XML defines entities", async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY l "${"lol".repeat(10)}"><!ENTITY m "${"&l;".repeat(10)}">]>`;
    expect(await failure("a.xml", `<?xml version="1.0"?>${laughs}<a>&m;</a>`)).toMatch(/defines entities/);
    expect(await failure("a.docx", docx(paragraph("&m;"), laughs))).toMatch(/defines entities/);
  });

  it("are refused where cells are far apart, or repeated without end", async () => {
    expect(await failure("a.xlsx", xlsx('<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>'))).toMatch(
      /more than 16,384 columns/,
    );
    expect(
      await failure(
        "a.xlsx",
        xlsx('<row r="1"><c r="XFD1"><v>1</v></c></row><row r="9999"><c r="A9999"><v>1</v></c></row>'),
      ),
    ).toMatch(/more than 5,000,000 cells/);
    expect(await failure("a.xlsx", xlsx('<row r="99999999"><c r="A99999999"><v>1</v></c></row>'))).toMatch(
      /more than 500,000 rows/,
    );
    expect(await failure("a.xlsx", xlsx('<row r="99999999"/>'))).toMatch(/more than 500,000 rows/);
    expect(await failure("a.xlsx", xlsx('<row r="1"><c r="A1"><v>1</v></c><c r="\u{ff3a}1"/></row>'))).toMatch(
      /columns/,
    );
    expect(await failure("a.xlsx", xlsx('<row r="1"><c r="A1e9"><v>1</v></c></row>'))).toMatch(
      /more than 500,000 rows/,
    );
    const elsewhere = unzipSync(xlsx('<row r="1"><c r="A99999999"><v>1</v></c></row>'));
    const moved = Object.entries(elsewhere).map(([path, part]) => [
      path.replace("worksheets/", "other/"),
      strToU8(strFromU8(part).replace("worksheets/", "other/")),
    ]);
    expect(await failure("a.xlsx", zipSync(Object.fromEntries(moved)))).toMatch(/more than 500,000 rows/);
    for (const r of ["r='XFD1048576'", 'r = "XFD1048576"', "r=\n'XFD1048576'", 'r="&#88;FD1048576"']) {
      for (const name of ["c", "x:c"]) {
        const content = xlsx(`<row r="1"><${name} t="n" ${r}><v>1</v></${name}></row>`);
        expect(await failure("a.xlsx", content), `${name} ${r}`).toMatch(/more than 500,000 rows/);
      }
    }
    const cell = (times: number) =>
      `<table:table-cell table:number-columns-repeated="${times}" office:value-type="float" office:value="1"/>`;
    const rows = (times: number, cells: string) =>
      `<table:table><table:table-row table:number-rows-repeated="${times}">${cells}</table:table-row></table:table>`;
    expect(await failure("a.ods", openDocument("spreadsheet", rows(1, cell(1_000_000))))).toMatch(
      /more than 16,384 columns/,
    );
    expect(await failure("a.ods", openDocument("spreadsheet", rows(400_000, cell(16_000))))).toMatch(
      /more than 5,000,000 cells/,
    );
  });

  it("are refused where they are nested without end, damaged, protected or no such file", async () => {
    expect(await failure("a.xml", "<a>".repeat(100_000))).toMatch(/nested too deep/);
    expect(await failure("a.docx", packed({ "other.xml": "" }))).toMatch(/not a Word document/);
    expect(await failure("a.xml", "no markup")).toMatch(/not valid XML/);
    const locked = packed({ "a.txt": "x" });
    locked[6] = 1;
    expect(await failure("a.zip", locked, "unzip")).toMatch(/protected by a password/);
    expect(await failure("a.zip", "PK and no more", "unzip")).toMatch(/cannot be unpacked/);
    expect(await failure("a.eml", "")).toMatch(/not an email/);
    expect(
      await failure("a.msg", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...zeros.slice(0, 600)])),
    ).toMatch(/\. .+/);
    expect(await failure("old.doc", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))).toMatch(
      /before 2007/,
    );
  });

  it("damaged documents of every kind are an error in words, whatever bytes they have", async () => {
    const names = fc.constantFrom(
      "a.docx",
      "a.xlsx",
      "a.pptx",
      "a.odt",
      "a.ods",
      "a.epub",
      "a.rtf",
      "a.eml",
      "a.msg",
      "a.xml",
    );
    const whole = fc.constantFrom(
      docx(paragraph("Text")),
      xlsx("<row/>"),
      openDocument("text", "<text:p>x</text:p>"),
      outlookMail({}),
    );
    await fc.assert(
      fc.asyncProperty(names, whole, fc.nat(), fc.integer({ min: 0, max: 255 }), async (name, bytes, at, value) => {
        const damaged = bytes.slice();
        damaged[at % damaged.length] = value;
        const answer = await doWork({ do: "read", file: file(name, damaged) });
        expect(answer.ok || (answer.message.length > 0 && answer.hint.length > 0)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("making files", () => {
  const rows: JsonObject[] = [
    { name: 'Ann "A"', n: 1, ok: true, tags: ["x"] },
    { name: "Bob\nB", n: -2.5, ok: false, extra: "=1+1" },
  ];

  it("makes tables that are read as what they were made of", async () => {
    const xlsxFile = await made({
      do: "make",
      format: "xlsx",
      name: "Report.xlsx",
      content: { Lamps: rows, "a/b": [[1], [2]] },
    });
    expect(xlsxFile.name).toBe("Report.xlsx");
    const { tables } = await read("r.xlsx", xlsxFile.bytes);
    expect(tables).toEqual([
      {
        name: "Lamps",
        rows: [
          ["name", "n", "ok", "tags", "extra"],
          ['Ann "A"', 1, true, '["x"]', null],
          ["Bob\nB", -2.5, false, null, "=1+1"],
        ],
      },
      { name: "a b", rows: [[1], [2]] },
    ]);
    const csv = await made({ do: "make", format: "csv", name: "r", content: rows });
    expect(csv).toMatchObject({ name: "r.csv", mediaType: "text/csv" });
    expect((await read("r.csv", csv.bytes)).tables[0]?.rows[1]).toEqual(['Ann "A"', "1", "true", '["x"]', ""]);
  });

  it("keeps texts that are names of every object", async () => {
    const content = [["valueOf", "constructor"]];
    const { bytes } = await made({ do: "make", format: "xlsx", name: "r", content });
    expect((await read("r.xlsx", bytes)).tables[0]?.rows).toEqual(content);
  });

  it("gives back any texts and numbers of a sheet", async () => {
    const cell = fc.oneof(
      fc
        .string({ unit: "grapheme", maxLength: 20 })
        .filter((text) => text.trim() === text && text !== "" && !/[\p{Cc}\ufffe\uffff]|_x/u.test(text)),
      fc.integer(),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 }),
        async (content) => {
          const { bytes } = await made({ do: "make", format: "xlsx", name: "r", content });
          expect((await read("r.xlsx", bytes)).tables[0]?.rows).toEqual(content);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("makes HTML that runs nothing, and Markdown and JSON of data", async () => {
    const html = await made({
      do: "make",
      format: "html",
      name: "<x>",
      content: "# Hi\n<script>bad()</script>\n\n[go](javascript:bad())\n\n| a |\n|-|\n| 1 |",
    });
    const text = new TextDecoder().decode(html.bytes);
    expect(text).toContain("<h1>Hi</h1>");
    expect(text).toContain("<td>1</td>");
    expect(text).not.toMatch(/<script|javascript:/);
    const markdown = await made({ do: "make", format: "markdown", name: "r", content: [{ a: "1|2", b: null }] });
    expect(new TextDecoder().decode(markdown.bytes)).toBe("| a | b |\n| --- | --- |\n| 1\\|2 |  |");
    const json = await made({ do: "make", format: "json", name: "r", content: { a: [1] } });
    expect(JSON.parse(new TextDecoder().decode(json.bytes))).toEqual({ a: [1] });
  });

  it("makes a PDF that is read as what it was made of, in threads of Node", async () => {
    const work = documentsInThreads();
    const signal = new AbortController().signal;
    const markdown =
      "# Bericht – Отчёт\n\nGrüße, Ελλάδα, ≤ 5 ✅\n\n- one\n- **two**\n\n| Name | n |\n|---|---|\n| Ann | 1 |\n\n> quote\n\n```\ncode  x\n```";
    const answer = await work({ do: "make", format: "pdf", name: "Bericht", content: markdown }, signal);
    expect(answer).toMatchObject({ ok: true, notes: [expect.stringContaining("1 symbols")] });
    const [pdf] = answer.ok ? answer.files : [];
    if (!pdf) throw new Error("There is no PDF.");
    const back = await work({ do: "read", file: pdf }, signal);
    const words = back.ok ? JSON.stringify(back.document?.sections) : "";
    for (const word of ["Bericht – Отчёт", "Grüße, Ελλάδα, ≤ 5", "two", "Ann", "quote", "code"])
      expect(words).toContain(word);
    const plain = await work({ do: "read", file: file("x.pdf", makePdf([[{ text: "Hello", size: 11 }]])) }, signal);
    expect(plain).toMatchObject({
      ok: true,
      document: { kind: "pdf", sections: [{ text: "Hello", metadata: { page: 1 } }] },
    });
  });

  it.each([
    ["Chinese", "UniGB-UCS2-H", "GB1", "4F60597D4E16754C", "你好世界"],
    ["Chinese in GBK", "GBK-EUC-H", "GB1", "C4E3BAC3", "你好"],
    ["Japanese in Shift JIS", "90ms-RKSJ-H", "Japan1", "93FA967B8CEA", "日本語"],
    ["Korean", "KSCms-UHC-H", "Korea1", "C7D1B1B9", "한국"],
  ])(
    "reads a PDF in %s whose font is only named, with its map of characters",
    async (_name, map, ordering, codes, text) => {
      const work = documentsInThreads();
      const pdf = file("x.pdf", makeMappedPdf(map, ordering, codes));
      const answer = await work({ do: "read", file: pdf }, new AbortController().signal);
      expect(answer).toMatchObject({ ok: true, document: { sections: [{ text }] } });
    },
  );

  it.each<[string, DocumentWork, RegExp]>([
    [
      "a PDF of other scripts",
      { do: "make", format: "pdf", name: "x", content: "你好" },
      /cannot show "你".*Latin, Greek and Cyrillic.*HTML/s,
    ],
    ["a table of a text", { do: "make", format: "xlsx", name: "x", content: "a,b" }, /list of objects/],
    ["a CSV of several sheets", { do: "make", format: "csv", name: "x", content: { a: [[1]], b: [[2]] } }, /one table/],
    [
      "a cell that is too long",
      { do: "make", format: "xlsx", name: "x", content: [["x".repeat(40_000)]] },
      /row 1 has more than 32,767 characters/,
    ],
    [
      "a PDF without end",
      { do: "make", format: "pdf", name: "x", content: "x".repeat(1_000_001) },
      /longer than a million/,
    ],
    ["no archive", { do: "unzip", file: file("a.rar", "Rar!") }, /not a ZIP archive/],
  ])("says why there is %s", async (_case, work, message) => {
    const answer: DocumentAnswer = await doWork(work);
    expect(answer.ok ? "" : `${answer.message} ${answer.hint}`).toMatch(message);
  });

  it("packs files and unpacks them again, of two with one name both", async () => {
    const files = [file("a.txt", "one"), file("a.txt", "two"), file("../up.csv", "x")];
    const archive = await made({ do: "zip", name: "all", files });
    expect(archive).toMatchObject({ name: "all.zip", mediaType: "application/zip" });
    const back = await doWork({ do: "unzip", file: archive });
    expect(back).toMatchObject({
      files: [
        { name: "a.txt", mediaType: "text/plain" },
        { name: "a 2.txt", bytes: strToU8("two") },
        { name: "up.csv", mediaType: "text/csv" },
      ],
    });
    expect(repack(new Map([["a", strToU8("one")]])).length).toBeGreaterThan(3);
  });
});

/** An email as Outlook saves it, of texts by the tags of their properties. */
function outlookMail(properties: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(properties).map(([tag, text]) => ({ name: `__substg1.0_${tag}`, bytes: utf16(text) }));
  const header = { name: "__properties_version1.0", bytes: new Uint8Array(32) };
  const children = [header, ...entries].map(({ name, bytes }) => ({
    name,
    type: 2,
    length: bytes.length,
    binaryProvider: () => bytes,
  }));
  const root = { name: "Root Entry", type: 5, length: 0, children: children.map((_, index) => index + 1) };
  return burn([root, ...children]);
}

function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).buffer);
}
