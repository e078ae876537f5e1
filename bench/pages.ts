import { rm } from "node:fs/promises";
import { chromium } from "@playwright/test";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { limitRow, type Bench, type Row } from "./measure.ts";
import { type FilledAccount, fillStudio } from "./pages/filled-studio.ts";
import { type PageVisit, tab, timeVisits } from "./pages/visit.ts";

const rounds = 5;
const limits = { shownMs: 300, requestMs: 100 };

/** A page that asks for nothing of what is measured. */
const settings = { from: "/settings", ready: "h1" };

const visits = ({ workflowId, runs: stored }: FilledAccount): PageVisit[] => {
  const editor: Pick<PageVisit, "from" | "ready" | "prepare"> = {
    from: `/w/${workflowId}`,
    ready: ".react-flow__node",
    prepare: (page) => page.getByRole("button", { name: "Run", exact: true }).click(),
  };
  const runs = { from: "/runs", ready: 'ul[aria-label="Stored runs"] li' };
  const link = (name: string): PageVisit["go"] => {
    return (page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
  };
  return [
    { name: "library", ...settings, go: link("Workflows"), shows: { selector: 'main a[href^="/w/"]' } },
    { name: "Runs", ...settings, go: link("Runs"), shows: { selector: runs.ready } },
    {
      name: "Runs, failed ones of one workflow",
      from: `/runs?workflow=${workflowId}`,
      ready: runs.ready,
      go: async (page) => void (await page.getByLabel("Status").selectOption("failed")),
      shows: { selector: 'ul[aria-label="Stored runs"] li:nth-child(2)', text: "Failed" },
    },
    { name: "Costs, 30 days", ...runs, go: (page) => tab(page, "Costs").click(), shows: { selector: "main table" } },
    {
      name: "Costs, 12 months",
      from: "/runs?tab=costs",
      ready: "main table",
      go: async (page) => void (await page.getByLabel("Range").selectOption("365")),
      shows: { selector: "main dd", text: stored.toLocaleString("en") },
    },
    {
      name: "History",
      ...editor,
      go: (page) => tab(page, "History").click(),
      shows: { selector: '[role=tabpanel] ul[aria-label="Runs"] li' },
    },
    {
      name: "Memory",
      ...editor,
      go: (page) => tab(page, "Memory").click(),
      shows: { selector: '[role=tabpanel] ul[aria-label^="Conversations"] li button' },
    },
  ];
};

const beside = (row: Row, baseline: number): Row => ({ ...row, baseline, ratio: row.value / baseline });

/**
 * The built site on the embedded stack, in a real browser, for somebody who has worked with it for years; beside it, as bare, an
 * account that has just enough to fill the same pages.
 */
export const pagesBench: Bench = {
  id: "pages",
  title: "Pages of an account with 1,000 workflows, 50,000 runs and 1,000,000 events",
  async run() {
    const { dataDir, large, small } = await fillStudio();
    const asRoot = process.getuid?.() === 0;
    try {
      const studio = await startStudio({ allowHosts: [], dataDir });
      const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
      try {
        const rows: Row[] = [];
        const few = visits(small);
        for (const [index, visit] of visits(large).entries()) {
          const less = few[index];
          if (less === undefined) continue;
          const bare = await timeVisits(browser, { url: studio.url, storage: small.storage }, less, rounds);
          const times = await timeVisits(browser, { url: studio.url, storage: large.storage }, visit, rounds);
          const slowest = `slowest of ${times.requests} requests (${times.slowestName})`;
          rows.push(
            beside(limitRow(`${visit.name}: content stands`, times.shown, "ms", limits.shownMs), bare.shown),
            beside(limitRow(`${visit.name}: ${slowest}`, times.slowest, "ms", limits.requestMs), bare.slowest),
          );
        }
        return rows;
      } finally {
        await browser.close();
        await studio.stop();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
