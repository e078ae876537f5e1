import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "../chromium.mjs";
import { Film, savePicture } from "./film.ts";
import { showPointer } from "./hand.ts";
import { pictures } from "./pictures.ts";
import { firstAnswer, replay } from "./scenes.ts";
import { filmPage } from "./screencast.ts";
import { filmTerminal, npmStart } from "./terminal.ts";

const usage = `Usage: npm run recordings [-- --pictures]

Clones the last commit into a temporary directory, starts it with npm start, uses it in Chromium, and writes what was seen to
docs/first-answer.webp, docs/replay.webp and docs/pictures. Nothing else should use the machine meanwhile: the films show its
real speed. --pictures leaves the films as they are.
They are encoded by sharp, which is not installed with the project: npm install --no-save sharp@0.35.5`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const viewport = { width: 1200, height: 800 };
/** Of the film's ten seconds; the start itself takes a minute or two. */
const terminalSeconds = 2;
/** Until what moves when something opens has come to rest. */
const settleMs = 1_000;

function clone(directory: string): void {
  const { status, stderr } = spawnSync("git", ["clone", "--quiet", root, directory], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The project could not be cloned: ${stderr}`);
}

async function record(page: Page, directory: string, onlyPictures: boolean): Promise<void> {
  const started = await npmStart(directory);
  try {
    const first = new Film();
    if (!onlyPictures) await filmTerminal(page, first, started, terminalSeconds);
    await page.goto(started.url);
    if (onlyPictures) await firstAnswer(page);
    else {
      await filmPage(page, first, () => firstAnswer(page));
      console.log(await first.save(join(root, "docs", "first-answer.webp")));
      const second = new Film();
      await filmPage(page, second, () => replay(page));
      console.log(await second.save(join(root, "docs", "replay.webp")));
    }
    // Another page of the same browser: this one has no pointer.
    const still = await page.context().newPage();
    await still.goto(started.url);
    for (const { name, show } of pictures) {
      await show(still);
      await still.waitForTimeout(settleMs);
      const png = await still.screenshot({ type: "png" });
      console.log(await savePicture(png, join(root, "docs", "pictures", `${name}.webp`)));
    }
  } finally {
    await started.stop();
  }
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "switchyard-recordings-"));
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: asRoot ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"],
  });
  try {
    const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "no-preference" });
    const page = await context.newPage();
    await showPointer(page);
    clone(join(directory, "switchyard"));
    await record(page, join(directory, "switchyard"), args.includes("--pictures"));
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);

if (args.some((arg) => arg !== "--pictures")) console.log(usage);
else
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
