import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "@playwright/test";

export type Profile = "phone" | "desktop";
export type Cache = "cold" | "warm";

/** What a person opens, what has to be painted then, and what is done as soon as it is. */
export interface LoadedPage {
  name: string;
  path: string;
  signedIn: boolean;
  /** Selector of what is painted, and how many of it. */
  content: string;
  count: number;
  /** Keys that are pressed once the content stands; resolves when they were heard. */
  press?(page: Page): Promise<void>;
}

/** Milliseconds since the navigation began; `heard` where keys are pressed. */
export interface LoadTimes {
  painted: number;
  heard?: number;
}

/** Lighthouse's mobile preset, as `landing` has it. */
const phoneView = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const views: Record<Profile, BrowserContextOptions> = {
  phone: phoneView,
  desktop: { viewport: { width: 1_440, height: 900 } },
};
const line = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const slowdown = 4;

/** Milliseconds without a new request after which a page is at rest. */
const restMs = 1_500;

async function slowDown(devtools: CDPSession): Promise<void> {
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", line);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

async function untilAtRest(page: Page): Promise<void> {
  for (let before = -1; ;) {
    const now = await page.evaluate(() => performance.getEntriesByType("resource").length);
    if (now === before) return;
    before = now;
    await page.waitForTimeout(restMs);
  }
}

/** Tells the page to note when its content is painted, from the next navigation on. */
async function watch(context: BrowserContext, { content, count }: LoadedPage): Promise<void> {
  await context.addInitScript(
    ({ content, count }) => {
      const look = (): void => {
        const shown = [...document.querySelectorAll(content)].filter((one) => one.getClientRects().length > 0);
        if (shown.length < count) requestAnimationFrame(look);
        else requestAnimationFrame(() => Object.assign(window, { paintedAt: performance.now() }));
      };
      requestAnimationFrame(look);
    },
    { content, count },
  );
}

async function load(page: Page, url: string, wanted: LoadedPage): Promise<LoadTimes> {
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => Reflect.has(window, "paintedAt"), undefined, { timeout: 60_000 });
  const painted = Number(await page.evaluate(() => Reflect.get(window, "paintedAt")));
  if (wanted.press === undefined) return { painted };
  await wanted.press(page);
  return { painted, heard: await page.evaluate(() => performance.now()) };
}

/** A first visit and, once all is loaded, a second one in the same browser. */
export async function visitTwice(
  browser: Browser,
  site: string,
  storage: Readonly<Record<string, string>>,
  { profile, page: wanted }: { profile: Profile; page: LoadedPage },
): Promise<Record<Cache, LoadTimes>> {
  const context = await browser.newContext(views[profile]);
  try {
    // The compiler names functions by a helper, which a function that is sent to the page has to find there.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    if (wanted.signedIn) {
      await context.addInitScript((kept) => {
        for (const [key, value] of Object.entries(kept)) window.localStorage.setItem(key, value);
      }, storage);
    }
    await watch(context, wanted);
    const page = await context.newPage();
    if (profile === "phone") await slowDown(await context.newCDPSession(page));
    const cold = await load(page, site + wanted.path, wanted);
    await untilAtRest(page);
    await page.goto("about:blank");
    return { cold, warm: await load(page, site + wanted.path, wanted) };
  } finally {
    await context.close();
  }
}
