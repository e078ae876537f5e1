import type { Browser, Page } from "@playwright/test";

/** What a cold load of a canvas took. */
interface ColdLoad {
  page: Page;
  /** Milliseconds from the navigation until every node stands on the canvas, painted. */
  shownAfterMs: number;
  /** Requests that had begun by then, the page itself included. */
  requests: number;
}

/**
 * Opens a canvas in a browser profile that has nothing stored but `storage`, and waits until it shows `nodes` nodes.
 * `prepare` sees the page before anything is loaded.
 */
export async function openCanvas(
  browser: Browser,
  url: string,
  nodes: number,
  storage: Readonly<Record<string, string>> = {},
  prepare?: (page: Page) => Promise<void>,
): Promise<ColdLoad> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // The compiler names functions by a helper, which a function that is sent to the page has to find there.
  await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
  await context.addInitScript(
    ({ wanted, kept }) => {
      for (const [key, value] of Object.entries(kept)) window.localStorage.setItem(key, value);
      const look = (): void => {
        const drawn = document.querySelectorAll(".react-flow__node").length;
        if (drawn < wanted) requestAnimationFrame(look);
        else requestAnimationFrame(() => Object.assign(window, { canvasShownAt: performance.now() }));
      };
      requestAnimationFrame(look);
    },
    { wanted: nodes, kept: { ...storage } },
  );
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(url);
  await page.waitForFunction(() => Reflect.has(window, "canvasShownAt"), undefined, { timeout: 60_000 });
  const load = await page.evaluate(() => {
    const shownAfterMs = Number(Reflect.get(window, "canvasShownAt"));
    const all = performance.getEntriesByType("resource");
    const early = all.filter((entry) => entry instanceof PerformanceResourceTiming && entry.startTime < shownAfterMs);
    return { shownAfterMs, requests: early.length + 1 };
  });
  return { page, ...load };
}

/** Elements that stand for one node, itself included, and everything in it. */
export function elementsPerNode(page: Page): Promise<number> {
  return page.evaluate(() => {
    const nodes = [...document.querySelectorAll(".react-flow__node")];
    return nodes.reduce((sum, node) => sum + 1 + node.querySelectorAll("*").length, 0) / nodes.length;
  });
}

export async function close(page: Page): Promise<void> {
  await page.context().close();
}
