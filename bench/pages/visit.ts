import type { Browser, Locator, Page } from "@playwright/test";
import { median } from "../measure.ts";

/** A page of the studio: where a person comes from, what they press, and what has to stand there then. */
export interface PageVisit {
  name: string;
  /** Path of the page before. */
  from: string;
  /** What stands on it once it can be left. */
  ready: string;
  /** What else has to be opened there. */
  prepare?(page: Page): Promise<void>;
  /** Changes the page: one click, or one choice. */
  go(page: Page): Promise<void>;
  /** A selector of the content, and text that is in it. */
  shows: { selector: string; text?: string };
}

/** What a visit took; milliseconds where nothing else is said. */
export interface VisitTimes {
  shown: number;
  /** The longest request of the visit, those that go on after the content included. */
  slowest: number;
  requests: number;
  /** What the longest request asked for. */
  slowestName: string;
}

/** The page before has been quiet for so long when it is left, and the visit when it is over. */
const quietMs = 1_500;

/** Requests to the database and to who is signed in, not files of the site. */
const isAsked = (name: string) => /\/(rest|auth|functions)\/v1\//.test(name);

async function untilQuiet(page: Page): Promise<void> {
  let before = -1;
  for (;;) {
    const now = await page.evaluate(() => performance.getEntriesByType("resource").length);
    if (now === before) return;
    before = now;
    await page.waitForTimeout(quietMs);
  }
}

/** From then on notes the first press, and when the content is painted. */
async function watch(page: Page, shows: PageVisit["shows"]): Promise<void> {
  await page.evaluate(({ selector, text }) => {
    performance.setResourceTimingBufferSize(10_000);
    performance.clearResourceTimings();
    const seen = { began: 0, shown: 0 };
    Object.assign(window, { visitSeen: seen });
    const stands = () =>
      [...document.querySelectorAll(selector)].some(
        (element) => text === undefined || element.textContent?.includes(text) === true,
      );
    const look = (): void => {
      if (!stands()) requestAnimationFrame(look);
      else requestAnimationFrame(() => void (seen.shown = performance.now()));
    };
    const begin = (): void => {
      if (seen.began > 0) return;
      seen.began = performance.now();
      requestAnimationFrame(look);
    };
    for (const type of ["pointerdown", "change"]) window.addEventListener(type, begin, { capture: true });
  }, shows);
}

async function visitOnce(
  browser: Browser,
  studio: { url: string; storage: Readonly<Record<string, string>> },
  visit: PageVisit,
): Promise<VisitTimes> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    // The compiler names functions by a helper, which a function that is sent to the page has to find there.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript((kept) => {
      for (const [key, value] of Object.entries(kept)) window.localStorage.setItem(key, value);
    }, studio.storage);
    const page = await context.newPage();
    await page.goto(studio.url + visit.from);
    await page.locator(visit.ready).first().waitFor();
    await visit.prepare?.(page);
    await untilQuiet(page);
    await watch(page, visit.shows);
    await visit.go(page);
    await page.waitForFunction(() => Number(Reflect.get(Reflect.get(window, "visitSeen"), "shown")) > 0);
    await untilQuiet(page);
    const { seen, entries } = await page.evaluate(() => ({
      seen: Reflect.get(window, "visitSeen") as { began: number; shown: number },
      entries: performance.getEntriesByType("resource").map(({ name, duration }) => ({ name, duration })),
    }));
    const asked = entries.filter(({ name }) => isAsked(name)).toSorted((a, b) => b.duration - a.duration);
    return {
      shown: seen.shown - seen.began,
      slowest: asked[0]?.duration ?? 0,
      slowestName: new URL(asked[0]?.name ?? studio.url).pathname.split("/").at(-1) ?? "",
      requests: asked.length,
    };
  } finally {
    await context.close();
  }
}

/** The median of some visits, each in a browser that has never been there. */
export async function timeVisits(
  browser: Browser,
  studio: { url: string; storage: Readonly<Record<string, string>> },
  visit: PageVisit,
  rounds: number,
): Promise<VisitTimes> {
  const times: VisitTimes[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await visitOnce(browser, studio, visit));
  const of = (name: "shown" | "slowest" | "requests") => median(times.map((each) => each[name]));
  const slowest = times.reduce((most, each) => (each.slowest > most.slowest ? each : most));
  return { shown: of("shown"), slowest: of("slowest"), requests: of("requests"), slowestName: slowest.slowestName };
}

/** A tab by its name. */
export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });
