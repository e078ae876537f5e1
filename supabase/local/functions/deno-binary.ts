import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartError } from "../start-error.ts";

const require = createRequire(import.meta.url);

/**
 * The Deno executable of the npm package `deno`. Its install script would link it, but npm may not run install
 * scripts; so it is taken from the platform's own package. Throws StartError when that is not installed.
 */
export function findDeno(): string {
  const executable = process.platform === "win32" ? "deno.exe" : "deno";
  const platform = process.platform === "linux" ? `linux-${process.arch}-glibc` : `${process.platform}-${process.arch}`;
  const fromPackage = resolvePackage(`@deno/${platform}`);
  const candidates = [fromPackage, resolvePackage("deno")].flatMap((folder) =>
    folder === null ? [] : [join(folder, executable)],
  );
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  throw new StartError(
    `Deno, which runs the edge functions, is not installed for ${process.platform} on ${process.arch}.`,
    "Run `npm ci --include=optional` in the project directory, then start again.",
  );
}

function resolvePackage(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
