import { type Browser, chromium, type Page } from "@playwright/test";
import { newGuest } from "../e2e/guest.ts";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { pdfOf } from "../src/documents/testing/make-pdf.ts";
import { createKnowledgeRepository } from "../src/state/knowledge/storage/knowledge-repository.ts";
import { longestTask } from "./canvas/main-thread.ts";
import { fillerTexts } from "./knowledge/filler.ts";
import { limitRow, type Bench, type Row } from "./measure.ts";

const pages = 500;
const documents = 1_000;
/** So many of them are waited for: the page has as much to show from the first to the last. */
const awaited = 100;
/** In hexadecimal, so that the file has 10 MB. */
const pictureBytes = 7_500;

/** A report of 500 pages of text, each with a picture. */
function largePdf(): Buffer {
  const pageNumber = (index: number) => 4 + index * 3;
  const picture = "7f".repeat(pictureBytes);
  const objects = Array.from({ length: pages }, (_, index) => {
    const lines = fillerTexts(index * 8, 8).flatMap((text) => text.match(/.{1,90}(?: |$)/g) ?? []);
    const content = lines
      .map((line, n) => `BT /F1 9 Tf 1 0 0 1 50 ${800 - n * 11} Tm (${line.trim()}) Tj ET`)
      .join("\n");
    const own = pageNumber(index);
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> /XObject << /P ${own + 2} 0 R >> >> /Contents ${own + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width 100 /Height 75 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${picture.length} >>\nstream\n${picture}\nendstream`,
    ];
  });
  const kids = objects.map((_, index) => `${pageNumber(index)} 0 R`).join(" ");
  return Buffer.from(
    pdfOf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...objects.flat(),
    ]),
  );
}

/** Adds files on a collection's page until `end`. Gives what a person waits for, and the longest task of the page meanwhile. */
async function add(
  browser: Browser,
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
  end: (page: Page) => Promise<unknown>,
): Promise<{ firstMs: number; allMs: number; longestMs: number; processorMs: number }> {
  const times = { firstMs: 0, allMs: 0 };
  const input = page.getByLabel("Files to add");
  const longest = await longestTask(browser, page, async () => {
    const started = performance.now();
    await input.setInputFiles(files);
    await page.getByRole("progressbar").first().waitFor();
    times.firstMs = performance.now() - started;
    await end(page);
    times.allMs = performance.now() - started;
  });
  return { ...times, longestMs: longest.clockMs, processorMs: longest.processorMs };
}

/** Documents that are added on the page of a collection, without embeddings, in a real browser. */
export const addingBench: Bench = {
  id: "adding",
  title: "Adding documents on the page of a collection",
  async run() {
    const studio = await startStudio({ allowHosts: [] });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const guest = await newGuest(studio);
      const repository = createKnowledgeRepository(guest.client.database);
      const open = async (name: string) => {
        const { id } = await repository.create({ name, embedding: null });
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        await context.addInitScript((kept) => {
          for (const [key, value] of Object.entries(kept)) window.localStorage.setItem(key, value);
        }, guest.storage);
        const page = await context.newPage();
        await page.goto(`${studio.url}/knowledge/${id}`);
        await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
        return page;
      };
      const pdf = largePdf();
      const megabytes = (pdf.length / 1e6).toFixed(0);
      const large = await add(
        browser,
        await open("Report"),
        [{ name: "report.pdf", mimeType: "application/pdf", buffer: pdf }],
        (page) => page.getByRole("heading", { name: "Added", exact: true }).waitFor({ timeout: 300_000 }),
      );
      const many = await add(
        browser,
        await open("Notes"),
        fillerTexts(0, documents).map((text, n) => ({
          name: `note-${n}.md`,
          mimeType: "text/markdown",
          buffer: Buffer.from(`# Note ${n}\n\n${text}`),
        })),
        (page) => page.getByText(new RegExp(`^1\\d\\d of ${documents} done$`)).waitFor({ timeout: 300_000 }),
      );
      const rows: Row[] = [];
      for (const [name, took, all, mostMs] of [
        [`a PDF of ${megabytes} MB and ${pages} pages`, large, "it is stored", 60_000],
        [`${documents} documents at once`, many, `${awaited} are stored`, 30_000],
      ] as const) {
        rows.push(
          limitRow(`${name}: until progress shows`, took.firstMs, "ms", 1_000),
          limitRow(`${name}: until ${all}`, took.allMs, "ms", mostMs),
          limitRow(`${name}: longest task of the page`, took.longestMs, "ms", 100),
          limitRow(`${name}: longest task, processor time`, took.processorMs, "ms", 100),
        );
      }
      return rows;
    } finally {
      await browser.close();
      await studio.stop();
    }
  },
};
