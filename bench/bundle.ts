import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { startStudio } from "../e2e/studio.ts";
import { findChromium } from "../scripts/chromium.mjs";
import { newGuest } from "../e2e/guest.ts";
import { gridWorkflow } from "./canvas/bench-workflow.ts";
import { close, openCanvas } from "./canvas/open-canvas.ts";
import { limitRow, type Bench, type Row } from "./measure.ts";

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

type Manifest = Record<string, Chunk>;

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Every chunk that a page needs before it is shown and answers: the entry, the page, what the site waits for with it, and
 * all that these import. What is loaded on use, or in idle moments once the page stands, is not among them.
 */
function closure(manifest: Manifest, starts: readonly string[]): Chunk[] {
  const seen = new Map<string, Chunk>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.set(key, chunk);
    chunk.imports?.forEach(visit);
  };
  starts.forEach(visit);
  return [...seen.values()];
}

/** What scripts of the build weigh together. */
function kilobytesOf(files: Iterable<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(root, "dist", file)), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Milliseconds without a request after which a page is at rest. */
const restMs = 3_000;

/** All that a canvas of ten nodes has loaded once it rests, and before its dialogs: the library of Supabase and what the next clicks need, too. */
async function editorAtRest(): Promise<Row> {
  const studio = await startStudio({ allowHosts: [], workers: 0 });
  try {
    const guest = await newGuest(studio);
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({ executablePath: findChromium(), args: asRoot ? ["--no-sandbox"] : [] });
    try {
      const { page } = await openCanvas(browser, await guest.addressOf(gridWorkflow(10)), 10, guest.storage);
      const scripts = () =>
        page.evaluate(() => {
          const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
          return paths.filter((path) => path.startsWith("/assets/") && path.endsWith(".js"));
        });
      let loaded: string[];
      do {
        loaded = await scripts();
        await page.waitForTimeout(restMs);
      } while ((await scripts()).length > loaded.length);
      await close(page);
      const value = kilobytesOf(new Set(loaded));
      return { name: "editor: JavaScript once at rest, gzip", value, unit: "kB", goal: "for information", met: true };
    } finally {
      await browser.close();
    }
  } finally {
    await studio.stop();
  }
}

/** Kilobytes. The editor may have 280, of which 15 are to be left for what is added. */
const most = { editor: 265, library: 217 };

function rowsFor(name: keyof typeof most, chunks: readonly Chunk[]): Row[] {
  const scripts = new Set(chunks.map((chunk) => chunk.file).filter((file) => file.endsWith(".js")));
  const styles = new Set(chunks.flatMap((chunk) => chunk.css ?? []));
  return [
    limitRow(`${name}: first-load JavaScript, gzip`, kilobytesOf(scripts), "kB", most[name]),
    limitRow(`${name}: requests for scripts and styles`, scripts.size + styles.size, "files", 40),
  ];
}

/** What `app.tsx` loads together with every page but the editor. */
const withOtherPages = "src/ui/icons/more-icons.ts";

/** First-load JavaScript of the editor and the library, from the build's own manifest. */
export const bundleBench: Bench = {
  id: "bundle",
  title: "What the browser loads first",
  async run() {
    const built = spawnSync(
      process.execPath,
      ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--manifest"],
      {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    if (built.status !== 0) throw new Error("The build failed; see above.");
    const manifest: Manifest = JSON.parse(readFileSync(join(root, "dist", ".vite", "manifest.json"), "utf8"));
    const keys = Object.keys(manifest);
    const page = (name: string): string[] =>
      keys.filter((key) => manifest[key]?.isEntry || key.endsWith(`pages/${name}-page.tsx`));
    const total = readdirSync(join(root, "dist", "assets")).length;
    return [
      ...rowsFor("editor", closure(manifest, page("editor"))),
      await editorAtRest(),
      ...rowsFor("library", closure(manifest, [...page("library"), withOtherPages])),
      { name: "files in the build", value: total, unit: "files", goal: "for information", met: true },
    ];
  },
};
