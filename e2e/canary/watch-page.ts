import type { Page } from "@playwright/test";

/** Everything that a page has received and shown, by place. */
interface PageRecord {
  /** Bodies and headers of answers, URLs, and console lines, as far as they have come. */
  seen(): { place: string; text: string }[];
  /** Bodies that the page has sent. */
  sent(): { url: string; body: string }[];
  /** Adds what the page shows and keeps now: its elements, what is typed into fields, its storage and its databases. */
  look(place: string): Promise<void>;
}

/** Starts to record a page; before its first navigation. Streams are recorded piece by piece, cut ones as well. */
export async function watchPage(page: Page): Promise<PageRecord> {
  const bodies = new Map<string, string>();
  const others: { place: string; text: string }[] = [];
  const sent: { url: string; body: string }[] = [];
  await page.exposeFunction("recordPiece", (id: string, text: string) => {
    bodies.set(id, (bodies.get(id) ?? "") + text);
  });
  await page.addInitScript(() => {
    const original = window.fetch;
    let count = 0;
    const record = (id: string, text: string): unknown => Reflect.get(window, "recordPiece")(id, text);
    window.fetch = async (...input) => {
      const response = await original(...input);
      const id = `answer of ${response.url} #${performance.timeOrigin}.${(count += 1)}`;
      record(id, JSON.stringify([...response.headers]));
      const reader = response.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
      void (async () => {
        for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) record(id, next.value);
      })().catch(() => undefined);
      return response;
    };
  });
  page.on("request", (request) => {
    others.push({ place: "URL", text: request.url() });
    sent.push({ url: request.url(), body: request.postData() ?? "" });
  });
  page.on("console", (line) => others.push({ place: "console", text: line.text() }));
  return {
    seen: () => [...others, ...Array.from(bodies, ([place, text]) => ({ place, text }))],
    sent: () => sent,
    async look(place) {
      others.push(
        { place: `address, ${place}`, text: page.url() },
        { place, text: await page.evaluate(everythingKept) },
      );
    },
  };
}

/** Runs in the page. */
async function everythingKept(): Promise<string> {
  const fields = [...document.querySelectorAll("input, textarea")].map((field) => Reflect.get(field, "value"));
  const databases: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name ?? "");
      opening.addEventListener("success", () => resolve(opening.result));
      opening.addEventListener("error", () => reject(opening.error ?? new Error("IndexedDB did not open.")));
    });
    for (const store of database.objectStoreNames) {
      const reading = database.transaction(store).objectStore(store).getAll();
      await new Promise((resolve) => reading.addEventListener("success", resolve));
      databases.push(reading.result);
    }
    database.close();
  }
  return JSON.stringify([
    document.documentElement.outerHTML,
    document.body.innerText,
    fields,
    { ...localStorage },
    { ...sessionStorage },
    document.cookie,
    databases,
  ]);
}
