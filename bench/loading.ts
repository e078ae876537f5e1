import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import { gridWorkflow } from "./canvas/bench-workflow.ts";
import { newGuest } from "../e2e/guest.ts";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { serveBuild } from "./loading/serve-build.ts";
import { type Cache, type LoadedPage, type LoadTimes, type Profile, visitTwice } from "./loading/visit.ts";
import { type Bench, limitRow, median, type Row } from "./measure.ts";

const rounds = 5;
const nodes = 10;

interface Limits {
  phone: Record<Cache, number>;
  desktop: Record<Cache, number>;
}

/** How many times as long as the build before something may take. Below 1.05 there is no telling apart. */
const shortPage: Limits = { phone: { cold: 1.15, warm: 1.15 }, desktop: { cold: 1.15, warm: 1.15 } };
const canvasPage: Limits = { phone: { cold: 1.5, warm: 1.05 }, desktop: { cold: 1.05, warm: 1.05 } };

/** Milliseconds without a build to compare with, on the phone with an empty cache and otherwise. */
const absolute = { firstVisit: 6_000, other: 3_000 };

async function searchByKeys(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("a");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[cmdk-input]")?.value === "a");
}

const pages = (workflowId: string): (LoadedPage & { limits: Limits })[] => [
  {
    name: "sign-in",
    path: "/",
    signedIn: false,
    content: "main form, #sign-in-shell form, main label, #sign-in-shell label",
    count: 1,
    limits: shortPage,
  },
  { name: "sign-in, usable", path: "/", signedIn: false, content: "#root form", count: 1, limits: shortPage },
  { name: "library", path: "/", signedIn: true, content: 'main a[href^="/w/"]', count: 1, limits: shortPage },
  {
    name: "canvas",
    path: `/w/${workflowId}`,
    signedIn: true,
    content: ".react-flow__node",
    count: nodes,
    press: searchByKeys,
    limits: canvasPage,
  },
];

interface Build {
  url: string;
  storage: Readonly<Record<string, string>>;
}

/** All visits of one page in one profile: both builds take turns. */
async function timesOf(browser: Browser, builds: readonly Build[], profile: Profile, page: LoadedPage) {
  const times = builds.map((): Record<Cache, LoadTimes>[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, build] of builds.entries()) {
      times[index]?.push(await visitTwice(browser, build.url, build.storage, { profile, page }));
    }
  }
  return times;
}

function row(name: string, [ours, before]: readonly number[], profile: Profile, cache: Cache, limits: Limits): Row {
  const value = ours ?? Number.NaN;
  if (before === undefined) {
    const limit = profile === "phone" && cache === "cold" ? absolute.firstVisit : absolute.other;
    return limitRow(name, value, "ms", limit);
  }
  const ratio = value / before;
  const limit = limits[profile][cache];
  return { name, value, unit: "ms", baseline: before, ratio, goal: `≤ ${limit} × before`, met: ratio <= limit };
}

async function rowsOf(browser: Browser, builds: readonly Build[], workflowId: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const profile of ["phone", "desktop"] as const) {
    for (const page of pages(workflowId)) {
      const times = await timesOf(browser, builds, profile, page);
      for (const cache of ["cold", "warm"] as const) {
        const where = `${profile}, ${cache}: ${page.name}`;
        const middle = (of: (one: LoadTimes) => number) =>
          times.map((each) => median(each.map((visit) => of(visit[cache]))));
        rows.push(
          row(
            where,
            middle(({ painted }) => painted),
            profile,
            cache,
            page.limits,
          ),
        );
        if (page.press === undefined) continue;
        rows.push(
          row(
            `${where}, first key heard`,
            middle(({ heard = Number.NaN }) => heard),
            profile,
            cache,
            page.limits,
          ),
        );
      }
    }
  }
  return rows;
}

/** What a person waits for when a page is opened, in this build, and in `--before <directory of a build>` in turns with it. */
export const loadingBench: Bench = {
  id: "loading",
  title: "From opening a page to its content and its first key",
  async run({ before } = {}) {
    const studio = await startStudio({ allowHosts: [] });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    const directories = [fileURLToPath(new URL("../dist", import.meta.url)), ...(before === undefined ? [] : [before])];
    const sites = await Promise.all(directories.map((directory) => serveBuild(directory, studio.url)));
    try {
      const guest = await newGuest(studio);
      // Without a chat, which a phone would show first.
      const document = gridWorkflow(nodes);
      await guest.addressOf(document);
      const builds = sites.map(({ url }): Build => ({ url, storage: guest.storage }));
      return await rowsOf(browser, builds, document.id);
    } finally {
      await browser.close();
      await Promise.all(sites.map(({ close }) => close()));
      await studio.stop();
    }
  },
};
