import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

test("a database program that cannot be loaded says so when it is to open, and blames no data", async () => {
  // A copy without its packages.
  const copy = await realpath(await mkdtemp(join(tmpdir(), "switchyard-process-")));
  for (const file of ["worker/runtime/compiled.mjs", "supabase/local/database/database-process.mjs"]) {
    await cp(join(projectRoot, file), join(copy, file));
  }
  const child = fork(join(copy, "supabase/local/database/database-process.mjs"), {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.send({ kind: "open" });
  const [report] = await once(child, "message");
  expect(report).toMatchObject({
    kind: "not-opened",
    message: expect.stringMatching(/^The database's program cannot be loaded: .*esbuild/),
    hint: expect.stringContaining("Nothing was changed"),
  });
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
  await rm(copy, { recursive: true });
});
