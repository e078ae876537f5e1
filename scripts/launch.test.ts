import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const scripts = dirname(fileURLToPath(import.meta.url));
let project: string;

/** A project whose dependencies are missing, and an npm that goes on installing until it is interrupted. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "switchyard-launch-"));
  await cp(scripts, join(project, "scripts"), { recursive: true });
  const lock = { lockfileVersion: 3, packages: { "node_modules/part": { version: "1.0.0" } } };
  await writeFile(join(project, "package-lock.json"), JSON.stringify(lock));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", type: "module" }));
  await writeFile(
    join(project, "npm.js"),
    `process.on("SIGINT", () => process.exit(1)); setInterval(() => {}, 1000); console.log("npm installs");`,
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("Ctrl-C while the dependencies are installed ends quietly, without the hint of an install that failed", async () => {
  const child = spawn(process.execPath, ["scripts/start.mjs", "--no-open"], {
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
