import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
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

function rowsFor(name: string, chunks: readonly Chunk[]): Row[] {
  const scripts = new Set(chunks.map((chunk) => chunk.file).filter((file) => file.endsWith(".js")));
  const styles = new Set(chunks.flatMap((chunk) => chunk.css ?? []));
  const size = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(root, "dist", file)), { level: 9 }).length, 0);
  return [
    limitRow(`${name}: first-load JavaScript, gzip`, size(scripts) / 1000, "kB", 265),
    limitRow(`${name}: requests for scripts and styles`, scripts.size + styles.size, "files", 40),
  ];
}

/** What `app.tsx` loads together with every page but the editor. */
const withOtherPages = "src/ui/more-icons.ts";

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
      ...rowsFor("library", closure(manifest, [...page("library"), withOtherPages])),
      { name: "files in the build", value: total, unit: "files", goal: "for information", met: true },
    ];
  },
};
