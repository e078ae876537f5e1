import { expect, test, type Page } from "@playwright/test";
import { hostileImages } from "./hostile-images.ts";
import { hostilePdfs } from "./hostile-pdfs.ts";
import { type ModuleServer, startModuleServer } from "./module-server.ts";

/*
 * Files that are made to take a tab's memory or time, given to what reads them in a real browser.
 */

let server: ModuleServer;

test.setTimeout(300_000);

test.beforeAll(async () => {
  server = await startModuleServer("hostile-files", {
    entries: ["src/documents/pdf/read-pdf.ts", "src/documents/pdf/pdf-worker.ts", "src/ui/fields/shrink-image.ts"],
  });
});

test.afterAll(() => server.close());

async function readPdf(page: Page, bytes: Buffer): Promise<string> {
  return page.evaluate(async (base64) => {
    const path = "/src/documents/pdf/read-pdf.ts";
    const { readPdf: read } = await import(/* @vite-ignore */ path);
    const worker = "/src/documents/pdf/pdf-worker.ts?worker_file&type=module";
    const startWorker = () => new Worker(worker, { type: "module" });
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return read(data, new AbortController().signal, { startWorker, pdfDeadlineMs: 15_000 }).then(
      (sections: { text: string }[]) => sections.map(({ text }) => text).join("\n"),
      (error: Error) => error.message,
    );
  }, bytes.toString("base64"));
}

/** What is read, or why it is not: a machine that is quick enough reads within the limits what another gives up. */
const ended = /^(Some words|a{50,}|The PDF has no text)|unpacks to more than 1 GB|took longer than|circular reference/;

test("S72 PDFs that are bombs end in words or in what they say, and the tab lives on", async ({ page }) => {
  await page.goto(`${server.origin}/favicon.svg`);
  let crashed = false;
  page.on("crash", () => (crashed = true));
  for (const [name, make] of Object.entries(hostilePdfs)) {
    const said = await test.step(name, () => readPdf(page, make()));
    expect(said, name).toMatch(ended);
    expect(crashed, name).toBe(false);
    await expect.poll(() => page.workers().length, name).toBe(0);
  }
});

test("S72 pictures that are bombs are refused before they are unpacked, and the tab lives on", async ({ page }) => {
  await page.route(`${server.origin}/empty`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
  );
  await page.goto(`${server.origin}/empty`);
  const shrink = async (name: string, type: string, bytes: Buffer) =>
    page.evaluate(
      async ([base64, ofType, label]) => {
        const path = "/src/ui/fields/shrink-image.ts";
        const { shrinkImage } = await import(/* @vite-ignore */ path);
        const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const { ok, problem } = await shrinkImage(new File([data], label, { type: ofType }));
        return ok ? "sent" : String(problem);
      },
      [bytes.toString("base64"), type, name] as const,
    );
  const harmless = ["a packed comment of 50 MB", "a packed profile of 50 MB", "a GIF of a hundred thousand frames"];
  const large = [
    "400 million pixels in 50 kB",
    "101 rows of a million",
    "rows that do not come",
    "a WebP of 16,384 by 16,384",
  ];
  for (const [name, make] of Object.entries(hostileImages)) {
    const [type, bytes] = make() as [string, Buffer];
    const said = await test.step(name, () => shrink(name, type, bytes));
    if (harmless.includes(name)) expect(said, name).toBe("sent");
    else expect(said, name).toContain(large.includes(name) ? "more than 100 million pixels" : "cannot read");
  }
});
