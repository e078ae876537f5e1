import { expect, test } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyScanFiles } from "../cli/ocr/copy-scan-files.ts";
import { doWork } from "../src/documents/do-work.ts";
import { docx, paragraph } from "../src/documents/testing/office-files.ts";
import { pngOf, scannedPdf, scanPages } from "../src/documents/testing/make-scan.ts";
import { type ModuleServer, startModuleServer } from "./module-server.ts";

/*
 * What reads documents with the browser's own parsers and storage, as modules in a real browser.
 */

let server: ModuleServer;

test.beforeAll(async () => {
  server = await startModuleServer("knowledge-readers", {
    entries: [
      "src/documents/document-worker.ts",
      "src/documents/pdf/pdf-worker.ts",
      "src/documents/documents.ts",
      "src/state/knowledge/storage/pending-sources.ts",
    ],
  });
});

test.afterAll(() => server.close());

test("S72 a PDF whose reading hangs is stopped at the deadline, with its worker", async ({ page }) => {
  await page.goto(`${server.origin}/favicon.svg`);
  const failure = await page.evaluate(async () => {
    const path = "/src/documents/pdf/read-pdf.ts";
    const { readPdf } = await import(/* @vite-ignore */ path);
    const endless = URL.createObjectURL(new Blob(["for (;;) {}"], { type: "text/javascript" }));
    const parts = { startWorker: () => new Worker(endless), pdfDeadlineMs: 500 };
    const pdf = new TextEncoder().encode("%PDF-1.7");
    return readPdf(pdf, new AbortController().signal, parts).then(
      () => null,
      (error: Error) => error.message,
    );
  });
  expect(failure).toBe("Reading the PDF took longer than 0.5 s and was stopped.");
  await expect.poll(() => page.workers().length).toBe(0);
});

test("scans are read in a worker of the browser, with what the site serves", async ({ page }) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), "scans-"));
  try {
    await copyScanFiles(fileURLToPath(new URL("../node_modules", import.meta.url)), folder, ["english"]);
    await page.route("**/ocr/*", (route) => route.fulfill({ path: join(folder, basename(route.request().url())) }));
    // Pages are drawn on canvases of HTML, which a page that is a picture does not make.
    await page.route("**/empty.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
    await page.goto(`${server.origin}/empty.html`);
    const made = await doWork({
      do: "make",
      format: "pdf",
      name: "a",
      content: "# Returns\n\nReturns within 30 days.",
    });
    const pages = await scanPages(made.ok && made.files[0] ? made.files[0].bytes : new Uint8Array());
    const files = [
      { name: "a.pdf", bytes: [...scannedPdf(pages)] },
      { name: "a.png", bytes: pages.flatMap((scanned) => [...pngOf(scanned)]) },
    ];
    const answers = await page.evaluate(async (given) => {
      const path = "/src/documents/documents.ts";
      const { documentsInBrowser } = await import(/* @vite-ignore */ path);
      const work = documentsInBrowser();
      const read = ({ name, bytes }: { name: string; bytes: number[] }) =>
        work({ do: "read", file: { name, mediaType: "", bytes: new Uint8Array(bytes) } }, new AbortController().signal);
      return Promise.all(given.map(read));
    }, files);
    const [pdf, png] = answers;
    expect(pdf.document.sections[0]).toMatchObject({ headings: ["Returns"], metadata: { page: 1 } });
    expect(pdf.document.sections[0].text).toContain("Returns within 30 days.");
    expect(png.document.sections[0].text).toContain("Returns within 30 days.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("what waits to be read outlives the page, for its owner alone", async ({ page }) => {
  await page.goto(`${server.origin}/favicon.svg`);
  await page.evaluate(async () => {
    const path = "/src/state/knowledge/storage/pending-sources.ts";
    const { createPendingSources } = await import(/* @vite-ignore */ path);
    const pending = createPendingSources(indexedDB);
    const blob = new Blob(["Words of a file."]);
    await pending.put({ id: "1", owner: "alice", collectionId: "c", source: { type: "file", name: "a.txt", blob } });
    await pending.put({
      id: "2",
      owner: "alice",
      collectionId: "c",
      source: { type: "url", url: "https://example.com" },
    });
    await pending.put({ id: "3", owner: "bob", collectionId: "c", source: { type: "paste", name: "n", text: "t" } });
    await pending.remove("2");
  });
  await page.reload();
  const kept = await page.evaluate(async () => {
    const path = "/src/state/knowledge/storage/pending-sources.ts";
    const { createPendingSources } = await import(/* @vite-ignore */ path);
    const [first, ...others] = await createPendingSources(indexedDB).list("alice");
    return { id: first.id, text: await first.source.blob.text(), others: others.length };
  });
  expect(kept).toEqual({ id: "1", text: "Words of a file.", others: 0 });
});

test("Office files and emails are read, and files made, in a worker of the browser", async ({ page }) => {
  await page.goto(`${server.origin}/favicon.svg`);
  const sheet = await doWork({ do: "make", format: "xlsx", name: "prices", content: [{ lamp: "Alder", price: 240 }] });
  const files = [
    { name: "a.docx", bytes: [...docx(paragraph("Returns within 30 days."))] },
    { name: "a.eml", bytes: [...new TextEncoder().encode("Subject: Hello\n\nWords.")] },
    { name: "a.xlsx", bytes: [...(sheet.ok ? (sheet.files[0]?.bytes ?? []) : [])] },
  ];
  const answers = await page.evaluate(async (given) => {
    const path = "/src/documents/documents.ts";
    const { documentsInBrowser } = await import(/* @vite-ignore */ path);
    const work = documentsInBrowser();
    const { signal } = new AbortController();
    const said: string[] = [];
    for (const { name, bytes } of given) {
      const answer = await work({ do: "read", file: { name, mediaType: "", bytes: new Uint8Array(bytes) } }, signal);
      said.push(JSON.stringify(answer.ok ? answer.document : answer));
    }
    // An email of Outlook that is none: its reader is a package written for Node.
    const cfb = new Uint8Array([
      0xd0,
      0xcf,
      0x11,
      0xe0,
      0xa1,
      0xb1,
      0x1a,
      0xe1,
      ...Array.from({ length: 600 }, () => 0),
    ]);
    said.push(JSON.stringify(await work({ do: "read", file: { name: "a.msg", mediaType: "", bytes: cfb } }, signal)));
    const made = await work({ do: "make", format: "pdf", name: "Offer", content: "# Offer\n\nОдин Alder" }, signal);
    const [pdf] = made.ok ? made.files : [];
    const read = pdf && (await work({ do: "read", file: pdf }, signal));
    said.push(JSON.stringify(read?.ok ? read.document.sections : (read ?? made)));
    return said;
  }, files);
  const words = [
    "Returns within 30 days.",
    "Words.",
    '"rows":[["lamp","price"],["Alder",240]]',
    "not an email",
    "Один Alder",
  ];
  words.forEach((word, index) => expect(answers[index]).toContain(word));
});
