import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const commands = dirname(fileURLToPath(import.meta.url));
let project: string;

/** A project whose dependencies are missing, and an npm that goes on installing until it is interrupted. */
beforeEach(async () => {
  // As Node names its own files, also where the folder of temporary files is a link.
  project = await mkdtemp(join(await realpath(tmpdir()), "switchyard-launch-"));
  await cp(commands, join(project, "cli"), { recursive: true });
  for (const folder of ["scripts", "worker/runtime"]) {
    await cp(join(dirname(commands), folder), join(project, folder), { recursive: true });
  }
  await lock({ "node_modules/part": { version: "1.0.0" } });
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", type: "module" }));
  await writeFile(
    join(project, "npm.js"),
    `process.on("SIGINT", () => process.exit(1)); setInterval(() => {}, 1000); console.log("npm installs");`,
  );
});

afterEach(() => rm(project, { recursive: true, force: true }));

const lock = (packages: object) =>
  writeFile(join(project, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));

test("Ctrl-C while the dependencies are installed ends quietly, without the hint of an install that failed", async () => {
  const child = spawn(process.execPath, ["cli/start.mjs", "--no-open"], {
    cwd: project,
    env: { ...process.env, npm_execpath: join(project, "npm.js") },
    // A group of its own, which a terminal interrupts as a whole.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (chunk.includes("npm installs")) process.kill(-(child.pid ?? 0), "SIGINT");
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, output]).toEqual([0, expect.stringContaining("Stopped before it was ready")]);
  expect(output).not.toContain("could not be installed");
});

test("a file of the project that cannot be written is told with what to do, without a stack", async () => {
  await lock({});
  await mkdir(join(project, "node_modules"));
  await writeFile(join(project, "node_modules", ".package-lock.json"), JSON.stringify({ packages: {} }));
  await writeFile(join(project, "node_modules", ".cache"), "in the way");
  const options = { cwd: project, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["cli/start.mjs", "--no-open"], options);
  expect(status).toBe(1);
  expect(stderr).toContain(`Switchyard installs and builds in ${project}.`);
  expect(stderr).not.toContain("    at ");
});
