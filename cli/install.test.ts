import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findDeno } from "../supabase/local/functions/deno-binary.ts";
import { ensureInstalled } from "./install.mjs";

let project: string;

/** A project with one dependency that npm installs without a network. */
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "switchyard-install-"));
  await mkdir(join(project, "part"));
  await writePart("1.0.0");
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "project", version: "1.0.0", dependencies: { part: "file:part" } }),
  );
  await writeFile(join(project, ".npmrc"), "offline=true\ninstall-links=true\n");
  npm("install", "--package-lock-only");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(project, { recursive: true, force: true });
});

const writePart = (version: string) =>
  writeFile(join(project, "part", "package.json"), JSON.stringify({ name: "part", version }));

function npm(...args: string[]): void {
  const { status, stderr } = spawnSync("npm", args, {
    cwd: project,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(stderr);
}

const hasPart = () => existsSync(join(project, "node_modules", "part", "package.json"));

test("missing dependencies are installed once", async () => {
  ensureInstalled(project);
  expect(hasPart()).toBe(true);
  ensureInstalled(project);
  expect(console.error).toHaveBeenCalledTimes(1);
});

test("what somebody installed by hand is taken as it is", () => {
  npm("ci");
  ensureInstalled(project);
  expect(console.error).not.toHaveBeenCalled();
});

test("a changed lock file or a package that is gone leads to a new install", async () => {
  ensureInstalled(project);
  await rm(join(project, "node_modules", "part"), { recursive: true });
  ensureInstalled(project);
  expect(hasPart()).toBe(true);

  await writePart("2.0.0");
  await rm(join(project, "package-lock.json"));
  // Aside, or npm would lock what is installed.
  await rename(join(project, "node_modules"), join(project, "aside"));
  npm("install", "--package-lock-only");
  await rename(join(project, "aside"), join(project, "node_modules"));
  ensureInstalled(project);
  const { version } = JSON.parse(await readFile(join(project, "node_modules", "part", "package.json"), "utf8"));
  expect(version).toBe("2.0.0");
  expect(console.error).toHaveBeenCalledTimes(3);
});

test("what only developers need is installed for them alone, and stays where it is", async () => {
  const tool = join(project, "node_modules", "tool");
  await mkdir(join(project, "tool"));
  await writeFile(join(project, "tool", "package.json"), JSON.stringify({ name: "tool", version: "1.0.0" }));
  const dependencies = { dependencies: { part: "file:part" }, devDependencies: { tool: "file:tool" } };
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "project", version: "1.0.0", ...dependencies }),
  );
  npm("install", "--package-lock-only");
  ensureInstalled(project);
  expect([hasPart(), existsSync(tool)]).toEqual([true, false]);
  ensureInstalled(project, { dev: true });
  expect(existsSync(tool)).toBe(true);
  await rm(join(project, "node_modules", "part"), { recursive: true });
  ensureInstalled(project);
  expect([hasPart(), existsSync(tool)]).toEqual([true, true]);
});

test("a lock file that lacks a package is completed for the install and stays as it is", async () => {
  const path = join(project, "package-lock.json");
  const lock = JSON.parse(await readFile(path, "utf8"));
  delete lock.packages["node_modules/part"];
  const incomplete = JSON.stringify(lock);
  await writeFile(path, incomplete);
  ensureInstalled(project);
  expect(hasPart()).toBe(true);
  expect(await readFile(path, "utf8")).toBe(incomplete);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining("package-lock.json is incomplete"));
});

test("no script of a package runs while it is installed", async () => {
  await writeFile(
    join(project, "part", "package.json"),
    JSON.stringify({ name: "part", version: "1.0.0", scripts: { postinstall: 'node -e "process.exit(1)"' } }),
  );
  ensureInstalled(project);
  expect(hasPart()).toBe(true);
});

describe("what the project itself installs", async () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const lock: Lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");

  test("has exact versions, and a hash of each package", async () => {
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    for (const [name, wanted] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      // Under another name, such as a second version of a package.
      const version = wanted.replace(/^npm:[^@]+@/, "");
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
    // Packages inside another one's archive come with its hash.
    const own = packages.filter(([, wanted]) => !wanted.inBundle);
    expect(own.length).toBeGreaterThan(300);
    for (const [path, { integrity }] of own) expect(integrity, path).toMatch(/^sha512-/);
  });

  test("needs no script: each package with one has its program in its platform's own package, or needs none", () => {
    const known = ["@google/genai", "deno", "esbuild", "fsevents", "protobufjs"];
    const scripted = packages.filter(([, wanted]) => wanted.hasInstallScript).map(([path]) => path);
    for (const path of scripted) expect(known, path).toContain(path.replace(/^.*node_modules\//, ""));
    const deno = findDeno();
    expect(spawnSync(deno, ["--version"], { encoding: "utf8" }).stdout).toContain("deno 2.");
    // The one that a postinstall script would have put beside the package.
    expect(deno).toContain(join("node_modules", "@deno"));
  });
});

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; inBundle?: boolean; hasInstallScript?: boolean }>;
}

test("an install that fails says what to do", async () => {
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", dependencies: { other: "1.0.0" } }));
  expect(() => ensureInstalled(project)).toThrow("The dependencies could not be installed");
});
