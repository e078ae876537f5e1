import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod/mini";
import type { ScanLanguage } from "../../src/documents/scan/scan-languages.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { corePackage, languagePackage, type NpmPackage } from "./scan-packages.ts";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.optional(z.string()) })),
});

/**
 * Loads text recognition, these languages and `others` with npm into a folder for the time of `use`, which is given its node_modules. Throws a
 * CommandFailure where npm fails or gives something else than was published.
 */
export async function withPackages(
  languages: readonly ScanLanguage[],
  use: (packages: string) => Promise<void>,
  others: readonly NpmPackage[] = [],
): Promise<void> {
  const wanted = [corePackage, ...languages.map(languagePackage), ...others];
  const folder = await mkdtemp(join(tmpdir(), "switchyard-ocr-"));
  try {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
    const names = wanted.map(({ name, version }) => `${name}@${version}`);
    const { status } = runNpm(folder, [
      "install",
      "--save-exact",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      ...names,
    ]);
    if (status !== 0) {
      const hint = "Check the internet connection and the free disk space, then try again.";
      throw new CommandFailure("Text recognition could not be loaded; npm says why above.", hint);
    }
    const lock = lockSchema.parse(JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")));
    for (const { name, integrity } of wanted) {
      if (lock.packages[`node_modules/${name}`]?.integrity === integrity) continue;
      const hint = "Check which registry npm uses: npm config get registry";
      throw new CommandFailure(`The package ${name} is not the one that was published.`, hint);
    }
    await use(join(folder, "node_modules"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the npm that runs us, where there is one. What it says goes to stderr. */
function runNpm(cwd: string, command: readonly string[]) {
  const npm = process.env["npm_execpath"];
  const args = [...command, "--loglevel=error"];
  const options: SpawnSyncOptions = { cwd, stdio: ["ignore", 2, 2] };
  return npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}
