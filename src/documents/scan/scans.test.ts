import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { copyScanFiles } from "../../../cli/ocr/copy-scan-files.ts";
import { documentsInThreads } from "../../../worker/runtime/documents.ts";
import { doWork } from "../do-work.ts";
import { documentIn } from "../documents.ts";
import { makePdf } from "../testing/make-pdf.ts";
import { type GreyPage, pngOf, scannedPdf, scanPages } from "../testing/make-scan.ts";

const minutes = 60_000;
const packages = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const markdown = `# Travel rules

Trains are booked by the office.
Flights need an approval of the manager.

Invoice 2024-117 over 1,284.50 euros remains unpaid.`;

const file = (name: string, bytes: Uint8Array) => ({ name, mediaType: "", bytes });
const signal = () => new AbortController().signal;

async function written(content: string): Promise<Uint8Array> {
  const answer = await doWork({ do: "make", format: "pdf", name: "text.pdf", content });
  const [made] = answer.ok ? answer.files : [];
  if (!made) throw new Error(JSON.stringify(answer));
  return made.bytes;
}

describe("scans", () => {
  const documents = documentsInThreads({ deadlineMs: 10 * minutes, maxThreads: 1 });
  let folder = "";
  let page: GreyPage;

  const read = async (name: string, bytes: Uint8Array) =>
    documentIn(await documents({ do: "read", file: file(name, bytes) }, signal()));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scans-"));
    await copyScanFiles(packages, folder, ["english"]);
    vi.stubEnv("STUDIO_OCR_DIRECTORY", folder);
    const [first] = await scanPages(await written(markdown), { degrees: 0.5, noise: 20 });
    if (!first) throw new Error("Nothing was drawn.");
    page = first;
  }, 5 * minutes);

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    "reads the pages of a scanned PDF with their numbers, and larger lines as headings",
    async () => {
      const { kind, sections } = await read("scan.pdf", scannedPdf([page, page]));
      expect(kind).toBe("pdf");
      expect(sections.map(({ headings, metadata }) => [headings.join(), metadata?.["page"]])).toEqual([
        ["Travel rules", 1],
        ["Travel rules", 2],
      ]);
      expect(sections[0]?.text.replace(/\s+/g, " ")).toContain(
        "Trains are booked by the office. Flights need an approval of the manager. Invoice 2024-117 over 1,284.50 euros remains unpaid.",
      );
    },
    5 * minutes,
  );

  it(
    "reads a picture, whatever it is called",
    async () => {
      const { kind, sections } = await read("photo", pngOf(page));
      expect(kind).toBe("picture");
      expect(sections).toHaveLength(1);
      expect(sections[0]?.text).toContain("Flights need an approval of the manager.");
    },
    5 * minutes,
  );

  it(
    "says of a picture without text, and of a damaged one, what is wrong",
    async () => {
      const empty = { width: 400, height: 300, pixels: new Uint8Array(120_000).fill(255) };
      await expect(read("empty.png", pngOf(empty))).rejects.toThrow("No text was recognized in the picture.");
      await expect(read("cut.png", pngOf(page).subarray(0, 200))).rejects.toThrow("The picture cannot be read.");
      await expect(read("text.png", new TextEncoder().encode("words"))).rejects.toThrow(
        '"text.png" is not a picture that can be read.',
      );
      await expect(read("empty.pdf", makePdf([[], []]))).rejects.toThrow("No text was recognized in the PDF.");
    },
    minutes * 5,
  );

  it(
    "S72 takes neither a picture of too many pixels nor a PDF of too many pages",
    async () => {
      const bomb = pngOf({ width: 1, height: 1, pixels: new Uint8Array(1) });
      new DataView(bomb.buffer).setUint32(16, 100_000);
      new DataView(bomb.buffer).setUint32(20, 100_000);
      await expect(read("bomb.png", bomb)).rejects.toThrow("The picture has more than 40 million pixels.");
      const pages = Array.from({ length: 201 }, () => []);
      await expect(read("long.pdf", makePdf(pages))).rejects.toThrow(
        "The PDF has 201 pages without text; that of at most 200 is recognized.",
      );
    },
    minutes * 5,
  );

  it("stops when it is cancelled", async () => {
    const stop = new AbortController();
    const reading = documents({ do: "read", file: file("scan.pdf", scannedPdf([page])) }, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });

  it(
    "says how text recognition is installed, and reads what has text without it",
    async () => {
      const without = documentsInThreads({ deadlineMs: 10 * minutes, maxThreads: 1 });
      vi.stubEnv("STUDIO_OCR_DIRECTORY", join(folder, "none"));
      const ask = (name: string, bytes: Uint8Array) => without({ do: "read", file: file(name, bytes) }, signal());
      expect(await ask("scan.pdf", makePdf([[]]))).toMatchObject({
        ok: false,
        message: "The PDF has no text. Its page is a picture, as in a scan.",
        hint: expect.stringContaining("npm run ocr -- install english"),
      });
      expect(await ask("photo.png", pngOf(page))).toMatchObject({
        ok: false,
        message: "Text recognition (OCR) is not installed.",
      });
      expect(await ask("mixed.pdf", makePdf([[{ text: "Words", size: 11 }], []]))).toMatchObject({ ok: true });
      vi.stubEnv("STUDIO_OCR_DIRECTORY", folder);
    },
    minutes * 5,
  );
});
