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

const article = `<!doctype html><html><head><title>Lamp care – Shop</title><style>p { color: red }</style></head><body>
<nav><a href="/">Home</a> <a href="/cart">Cart</a></nav>
<article><h1>Lamp care</h1>
<p>${"Dust the shade with a dry cloth every month, never with water. ".repeat(6)}</p>
<h2>Bulbs &amp; sockets</h2><p>Use bulbs of at most <b>nine</b> watts. ${"Let them cool before you touch them. ".repeat(6)}</p>
<ul><li>E27 for tall lamps</li><li>E14 for small ones</li></ul>
<table><tr><th>Model</th><th>Watts</th></tr><tr><td>Alder</td><td>9</td></tr></table>
<script>window.ran = true; document.title = "x"</script><img src="/track.png" onerror="window.ran = true"></article>
<footer>Imprint and cookies</footer></body></html>`;

test("a page is read as its article, by headings, and nothing of it runs or loads", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${origin}/favicon.svg`);
  const read = await page.evaluate(async (html) => {
    const path = "/src/host/knowledge/readers/read-html.ts";
    const { readHtml } = await import(/* @vite-ignore */ path);
    return { page: readHtml(html), ran: "ran" in window };
  }, article);
  expect(read.ran).toBe(false);
  expect(requests.filter((url) => url.includes("track.png"))).toEqual([]);
  const { title, sections } = read.page;
  expect(title).toBe("Lamp care – Shop");
  const text = JSON.stringify(sections);
  expect(text).not.toMatch(/Imprint|Cart|color: red|window\.ran/);
  const bulbs = sections.find((section: { headings: string[] }) => section.headings.at(-1) === "Bulbs & sockets");
  expect(bulbs.text).toContain("Use bulbs of at most nine watts.");
  expect(bulbs.text).toContain("- E27 for tall lamps\n");
  expect(bulbs.text).toContain("Alder | 9");
});

test("S72 pages beyond the limits are refused, and one without end of spaces and tags is read", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
  const read = await page.evaluate(async () => {
    const path = "/src/host/knowledge/readers/read-html.ts";
    const { readHtml } = await import(/* @vite-ignore */ path);
    const failure = (html: string): unknown => {
      try {
        return readHtml(html);
      } catch (error) {
        return error instanceof Error && "hint" in error ? [error.message, error.hint] : error;
      }
    };
    return {
      long: failure("x".repeat(10_000_001)),
      tags: failure("<p>".repeat(400_001)),
      // More elements than Readability is given; each of them once took as long as all that came before it.
      many: readHtml("<p>Some words.</p>".repeat(60_000)).sections[0].text.length,
      spaces: readHtml(`<pre>a${" ".repeat(2_000_000)}b</pre>`).sections[0].text.length,
    };
  });
  const hint = "Save the part that matters as a page of its own, or paste its text.";
  expect(read).toEqual({
    long: ["The page has 11 million characters; 10 million are read.", hint],
    tags: ["The page has more than 400,000 tags.", hint],
    many: 60_000 * 13 - 2,
    spaces: 2_000_002,
  });
});

test("S72 a PDF whose reading hangs is stopped at the deadline, with its worker", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
  const failure = await page.evaluate(async () => {
    const path = "/src/host/knowledge/readers/read-pdf.ts";
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

test("a page without an article is read whole", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
  const read = await page.evaluate(async () => {
    const path = "/src/host/knowledge/readers/read-html.ts";
    const { readHtml } = await import(/* @vite-ignore */ path);
    return [readHtml("<p>Short</p><h3>Under</h3>one<br>two<pre>a\n  b</pre>"), readHtml("")];
  });
  expect(read).toEqual([
    {
      title: "",
      sections: [
        { headings: [], text: "Short" },
        { headings: ["Under"], text: "one\ntwo\na\n  b" },
      ],
    },
    { title: "", sections: [] },
  ]);
});

test("what waits to be read outlives the page, for its owner alone", async ({ page }) => {
  await page.goto(`${origin}/favicon.svg`);
  await page.evaluate(async () => {
    const path = "/src/host/knowledge/pending-sources.ts";
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
    const path = "/src/host/knowledge/pending-sources.ts";
    const { createPendingSources } = await import(/* @vite-ignore */ path);
    const [first, ...others] = await createPendingSources(indexedDB).list("alice");
    return { id: first.id, text: await first.source.blob.text(), others: others.length };
  });
  expect(kept).toEqual({ id: "1", text: "Words of a file.", others: 0 });
});
