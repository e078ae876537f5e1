import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./backup-folder.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "switchyard-folder-"))));
afterEach(() => rm(root, { recursive: true, force: true }));

test("the next backup removes what a process has left that was ended, and nothing of one that works or of others", async () => {
  const other = spawn("sleep", ["100"]);
  let own = "";
  await makeFolder(join(root, "first"), async (draft) => {
    own = draft.slice(draft.lastIndexOf(".unfinished-"));
    const [, system = "", , start = ""] = /^\.unfinished-(\w+)-(\d+)-(\w+)$/.exec(own) ?? [];
    const ended = `old.unfinished-${system}-${other.pid}-${start}`;
    const elsewhere = `old.unfinished-00000000-${other.pid}-${start}`;
    for (const name of [ended, elsewhere, "photos.unfinished-mine", `photos${own}`]) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, "data"), "kept");
    }
    // The same number, but a later process: what the first one of it has left.
    await makeFolder(join(root, "second"), () => Promise.resolve());
    expect((await readdir(root)).toSorted()).toEqual(
      [`first${own}`, "second", elsewhere, "photos.unfinished-mine", `photos${own}`].toSorted(),
    );
  });
  const gone = once(other, "exit");
  other.kill();
  await gone;
  expect(await readdir(root)).toContain("first");
});
