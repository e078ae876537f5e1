import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { exportTargets } from "../src/export/export-target.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The commands alone, without the project's packages. */
const copy = mkdtempSync(join(tmpdir(), "switchyard-commands-"));
for (const part of ["cli", "worker/runtime"]) {
  mkdirSync(join(copy, part), { recursive: true });
  cpSync(join(root, part), join(copy, part), { recursive: true });
}

afterAll(() => rmSync(copy, { recursive: true }));

const commands = readdirSync(join(root, "cli", "usage")).map((file) => file.replace(/\.mjs$/, ""));

test("each command says how it is used before anything is installed", async () => {
  expect(commands).toEqual(expect.arrayContaining(["workflow", "evaluate", "export", "import", "runs", "publish"]));
  for (const command of commands) {
    const answer = promisify(execFile)(process.execPath, [join(copy, "cli", `${command}.mjs`), "--help"]);
    await expect(answer, command).resolves.toMatchObject({
      stderr: "",
      stdout: expect.stringContaining(`${command} --`),
    });
  }
  expect(existsSync(join(copy, "node_modules"))).toBe(false);
});

test("the help of export names every library", async () => {
  const { usage } = await import("./usage/export.mjs");
  expect(usage).toContain(`--to ${exportTargets.join("|")} `);
});
