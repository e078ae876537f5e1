import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { documentsInThreads } from "../../../../worker/runtime/documents.ts";
import type { FunctionResult } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import type { IngestSource } from "../../../services/knowledge.ts";
import { createPendingSources } from "./pending-sources.ts";
import { createSourceReader } from "./read-source.ts";
import { sourceKind } from "../../../documents/source-kind.ts";

const signal = () => new AbortController().signal;
/** With a deadline that none of them comes near, on a slow machine either. */
const parts = documentsInThreads({ deadlineMs: 600_000 });

function reading(source: IngestSource, answer?: FunctionResult) {
  const calls: JsonObject[] = [];
  const reader = createSourceReader((_name, body) => {
    calls.push(body);
    if (answer) return Promise.resolve(answer);
    throw new Error("No function is expected to be called.");
  }, parts);
  return { read: reader.read(source, signal()), calls };
}

const file = (name: string, content: string | Uint8Array<ArrayBuffer>): IngestSource => ({
  type: "file",
  name,
  blob: new Blob([content]),
});

const page = (over: Partial<Record<string, unknown>> = {}): FunctionResult => ({
  ok: true,
  body: {
    success: true,
    statusCode: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: "The page's words.",
    truncated: false,
    ...over,
  } as JsonObject,
});

describe("reading files", () => {
  it("takes the ending, then the type, then the beginning for the kind", async () => {
    expect(sourceKind("a.MD", "", "")).toBe("markdown");
    expect(sourceKind("a.tsv", "text/plain", "")).toBe("csv");
    expect(sourceKind("noending", "text/html; charset=x", "")).toBe("html");
    expect(sourceKind("noending", "application/ld+json", "")).toBe("json");
    expect(sourceKind("scan.txt", "", "%PDF-1.7")).toBe("pdf");
    expect(sourceKind("noending", "", "<!DOCTYPE html><p>")).toBe("html");
    expect(sourceKind("noending", "", "intro\n# Heading\n")).toBe("markdown");
    expect(sourceKind("noending", "", "words")).toBe("text");
    expect(sourceKind("page.docx", "text/html", "<p>")).toBe("html");
    // Damaged, so that their beginning looks like text.
    for (const name of ["cut.docx", "CUT.DOCX", "table.xlsx", "book.epub"])
      expect(sourceKind(name, "", "PK words")).toBeNull();
    expect(sourceKind("noending", "application/msword", "words")).toBeNull();
    expect(sourceKind("noending", "", "PK\u0003\u0004 words")).toBeNull();
    expect(sourceKind("picture.png", "image/png", "\u0089PNG\u0000")).toBe("picture");
    expect(sourceKind("", "image/webp", "RIFF\u0000")).toBe("picture");
    expect(sourceKind("scan.tiff", "image/tiff", "II*\u0000")).toBeNull();
  });

  it("reads other encodings than UTF-8, and one kind of line end", async () => {
    const latin = new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65, 13, 10, 0x21]);
    expect((await reading(file("a.txt", latin)).read).sections[0]?.text).toBe("Grüße\n!");
    const utf16 = new Uint8Array([0xff, 0xfe, 0x48, 0, 0x69, 0]);
    expect((await reading(file("a.txt", utf16)).read).sections[0]?.text).toBe("Hi");
    expect((await reading(file("subtitles.srt", utf16)).read).sections[0]?.text).toBe("Hi");
    const chinese = [0xcd, 0xcb, 0xbb, 0xf5, 0xd5, 0xfe, 0xb2, 0xdf];
    for (const name of ["a.txt", "a.srt"]) {
      expect((await reading(file(name, Uint8Array.from(chinese))).read).sections[0]?.text).toBe("退货政策");
    }
    const declared = new TextEncoder().encode("<meta charset=gbk><p>");
    const html = Uint8Array.from([...declared, ...chinese]);
    expect((await reading(file("a.html", html)).read).sections[0]?.text).toBe("退货政策");
  });

  it("says when a file is too large, or has nothing to read", async () => {
    const large = { size: 51 * 1024 * 1024, slice: () => new Blob([]) };
    const blob = Object.assign(new Blob(["x"]), {});
    Object.defineProperty(blob, "size", { value: large.size });
    await expect(reading({ type: "file", name: "big.txt", blob }).read).rejects.toThrow("a file may have 50 MB");
    await expect(reading(file("x.bin", "\u0000\u0001")).read).rejects.toThrow("a kind of file that cannot be read");
    await expect(reading(file("x.md", "\n")).read).rejects.toThrow("contains no text");
  });

  it("keeps what the database takes: no half characters, not too much", async () => {
    const halves = await reading(file("a.json", '{"a\\ud83d":"b\\ude00"}')).read;
    expect(halves.sections).toEqual([{ headings: ["a\uFFFD"], text: "b\uFFFD" }]);
    const rows = Array.from({ length: 450_000 }, (_, n) => n).join("\n");
    await expect(reading(file("rows.csv", `number\n${rows}`)).read).rejects.toMatchObject({
      message: '"rows.csv" is too long.',
      hint: expect.stringContaining("leave out rows"),
    });
    await expect(reading(file("long.txt", "word ".repeat(2_000_001))).read).rejects.toMatchObject({
      hint: "Split it into several documents of at most 10 million characters.",
    });
  });

  it("names pasted text and finds its structure", async () => {
    const pasted = await reading({ type: "paste", name: " ", text: "# One\n\nText" }).read;
    expect(pasted).toMatchObject({
      name: "Pasted text",
      kind: "markdown",
      source: "",
      sections: [{ headings: ["One"] }],
    });
  });
});

/** A ZIP of one file by this name, which says that it unpacks to so many bytes; `entries` name the same bytes again. */
function zip(name: string, size: number, entries = 1): Uint8Array<ArrayBuffer> {
  const packed = deflateRawSync(Buffer.alloc(Math.min(size, 10_000_000)));
  const fields = (signature: number, ...values: [bytes: 2 | 4, value: number][]) => {
    const bytes = Buffer.alloc(4 + values.reduce((sum, [length]) => sum + length, 0));
    bytes.writeUInt32LE(signature);
    let at = 4;
    for (const [length, value] of values) at = bytes.writeUIntLE(value, at, length);
    return bytes;
  };
  const about: [2 | 4, number][] = [
    [2, 20],
    [2, 0],
    [2, 8],
    [4, 0],
    [4, 0],
    [4, packed.length],
    [4, size],
    [2, name.length],
    [2, 0],
  ];
  const local = Buffer.concat([fields(0x04034b50, ...about), Buffer.from(name), packed]);
  const entry = Buffer.concat([
    fields(0x02014b50, [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]),
    Buffer.from(name),
  ]);
  const list = Buffer.concat(Array.from({ length: entries }, () => entry));
  const end = fields(
    0x06054b50,
    [2, 0],
    [2, 0],
    [2, entries],
    [2, entries],
    [4, list.length],
    [4, local.length],
    [2, 0],
  );
  return new Uint8Array(Buffer.concat([local, list, end]));
}

describe("S72 files that are packed, or unpack themselves", () => {
  const bytes = (...start: number[]) => new Uint8Array([...start, ...Buffer.alloc(100, 0xa5)]);

  it.each([
    ["a ZIP bomb", "a.zip", zip("a", 4_000_000_000)],
    ["a ZIP of overlapping entries", "a.zip", zip("a", 1_000_000, 60_000)],
    ["a ZIP that climbs out", "a.zip", zip("../../../../etc/passwd", 10)],
    ["an empty ZIP", "a.zip", zip("", 0, 0).slice(-22)],
    ["an archive as JSON", "a.json", zip("a.json", 1_000)],
    ["an archive as a page", "a.html", zip("index.html", 1_000)],
    ["a Word file of before 2007", "a.txt", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)],
    ["gzip", "a.log", new Uint8Array(gzipSync(Buffer.alloc(10_000_000)))],
    ["7-Zip", "a.md", bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)],
    ["RAR", "a.txt", bytes(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07)],
    ["xz", "a.txt", bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)],
  ])("%s is not read", async (_case, name, content) => {
    await expect(reading(file(name, content)).read).rejects.toMatchObject({
      message: expect.stringContaining("cannot be read"),
      hint: expect.stringContaining("unpack an archive"),
    });
  });

  it.each([
    ["a damaged Word file", "a.docx", zip("word/document.xml", 1_000), "cannot be read"],
    ["a Word file that is a bomb, as text", "a.txt", zip("word/document.xml", 4_000_000_000), "more than 200 MB"],
    ["a table of Excel that is no table, as CSV", "a.csv", zip("xl/workbook.xml", 1_000), "cannot be read"],
  ])("%s is not read", async (_case, name, content, message) => {
    await expect(reading(file(name, content)).read).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it("entities of XML stay what they are", async () => {
    const names = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
    const laughs = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY l0 "lol">${names.join("")}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    for (const name of ["a.xhtml", "a.html"]) {
      const { sections } = await reading(file(name, `${laughs}<p>&l10; &x; end</p>`)).read;
      const text = sections.map((section) => section.text).join("\n");
      expect(text).toContain("&l10; &x; end");
      expect(text).not.toContain("lollol");
    }
  });
});

describe("reading pages", () => {
  it("asks the guarded function and keeps the address", async () => {
    const { read, calls } = reading({ type: "url", url: "example.com/notes" }, page());
    expect(await read).toMatchObject({
      name: "https://example.com/notes",
      kind: "text",
      source: "https://example.com/notes",
      sections: [{ text: "The page's words." }],
    });
    expect(calls).toMatchObject([{ url: "https://example.com/notes" }]);
  });

  const refused = { code: "blocked_address" as const, message: "Blocked.", hint: "Use another.", retryable: false };
  it.each<[string, FunctionResult, string]>([
    ["S1 a private address", page({ statusCode: 0, body: null, success: false, error: refused }), "Blocked."],
    ["a function that is away", { ok: false, status: 0, error: refused }, "Blocked."],
    ["a missing page", page({ success: false, statusCode: 404 }), "answered with status 404"],
    [
      "a picture",
      page({ body: "[binary, image/png, 9 bytes]", headers: { "content-type": "image/png" } }),
      "leads to image/png, not to text",
    ],
    ["an endless page", page({ truncated: true }), "longer than 5 MB"],
  ])("says what is wrong with %s", async (_case, answer, message) => {
    await expect(reading({ type: "url", url: "https://example.com" }, answer).read).rejects.toThrow(message);
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "http://"])("asks nothing for %s", async (url) => {
    const { read, calls } = reading({ type: "url", url });
    await expect(read).rejects.toThrow("is not a web address");
    expect(calls).toEqual([]);
  });
});

describe("S60 waiting sources without storage", () => {
  it("are kept as long as the page", async () => {
    const forbidden = {
      open: () => {
        throw new DOMException("Not allowed", "SecurityError");
      },
    };
    for (const factory of [undefined, forbidden as unknown as IDBFactory]) {
      const pending = createPendingSources(factory);
      const source = { type: "paste" as const, name: "n", text: "t" };
      await pending.put({ id: "1", owner: "alice", collectionId: "c", source });
      expect(await pending.list("alice")).toMatchObject([{ id: "1" }]);
      expect(await pending.list("bob")).toEqual([]);
      await pending.remove("1");
      expect(await pending.list("alice")).toEqual([]);
    }
  });
});
