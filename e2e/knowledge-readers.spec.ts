import { expect, test } from "@playwright/test";
import { createServer, type ViteDevServer } from "vite";

/*
 * What reads documents with the browser's own parsers and storage, as modules in a real browser.
 */

let server: ViteDevServer;
let origin: string;

test.beforeAll(async () => {
  server = await createServer({ logLevel: "error", server: { host: "127.0.0.1", port: 0, hmr: false } });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address.");
  origin = `http://127.0.0.1:${address.port}`;
});

test.afterAll(() => server.close());

test("S72 a PDF whose reading hangs is stopped at the deadline, with its worker", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
  const failure = await page.evaluate(async () => {
    const path = "/src/state/knowledge/storage/readers/read-pdf.ts";
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

test("what waits to be read outlives the page, for its owner alone", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
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
