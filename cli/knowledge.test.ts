import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createKnowledgeRepository } from "../src/state/knowledge/storage/knowledge-repository.ts";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { startWorkerWorld, type WorkerWorld } from "../worker/testing/worker-world.ts";

let world: WorkerWorld;
let folder: string;
let collection: string;
let key: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  folder = await mkdtemp(join(tmpdir(), "switchyard-documents-"));
  collection = (await createKnowledgeRepository(world.user.client).create({ name: "Handbook" })).id;
  key = (await makeApiKey(world.user, ["knowledge"])).key;
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world.stop();
});

const script = fileURLToPath(new URL("knowledge.mjs", import.meta.url));

function knowledge(
  args: string[],
  apiKey: string = key,
): Promise<{ code: number | null; lines: string[]; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, SWITCHYARD_API_KEY: apiKey } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("close", (code) => resolve({ code, lines: stdout.trim().split("\n"), stderr }));
  });
}

const add = (...options: string[]) =>
  knowledge(["add", folder, "--collection", collection, "--url", world.stack.url, ...options]);

it("sends what changed of a folder, waits for it, and says what is no document", async () => {
  await mkdir(join(folder, "guides"));
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git", "config"), "secret");
  await writeFile(join(folder, "guides", "returns.md"), "# Returns\n\nThirty days.");
  await writeFile(join(folder, "stock.csv"), "item,price\nLamp,3");
  await writeFile(join(folder, "film.mp4"), "\u0000\u0000\u0000ftyp");
  const expected = ["left out   film.mp4: collections do not take such files"];
  const both = ["guides/returns.md", "stock.csv"];
  expect(await add("--dry-run")).toMatchObject({
    code: 0,
    lines: [...expected, ...both.map((name) => `would send ${name}`), "2 files to send, 0 unchanged."],
  });
  const sent = both.map((name) => `sent       ${name}`);
  expect(await add("--wait")).toEqual({
    code: 0,
    lines: [...expected, ...sent, "2 files sent, 0 unchanged.", "All are stored."],
    stderr: "",
  });
  expect(await add()).toMatchObject({ lines: [...expected, "0 files sent, 2 unchanged."] });
  await writeFile(join(folder, "stock.csv"), "item,price\nLamp,4");
  expect(await add("--wait")).toMatchObject({
    lines: [...expected, "sent       stock.csv", "1 file sent, 1 unchanged.", "All are stored."],
  });
  const described = ["--meta", "team=sales", "--meta", "year=2025"];
  expect(await add("--wait", ...described)).toMatchObject({
    lines: [...expected, ...sent, "2 files sent, 0 unchanged.", "All are stored."],
  });
  expect(await add(...described)).toMatchObject({ lines: [...expected, "0 files sent, 2 unchanged."] });
  const documents = await createKnowledgeRepository(world.user.client).documents(collection);
  expect(documents.map(({ metadata }) => metadata)).toEqual([0, 1].map(() => ({ team: "sales", year: 2025 })));
  await writeFile(join(folder, "bad.html"), "<script>1</script>");
  const failed = await add("--wait");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.lines.at(-1)).toMatch(/^failed {5}bad\.html: "bad\.html" contains no text\./);
});

it.each<[string, () => Promise<{ code: number | null; stderr: string }>, number, RegExp]>([
  ["no command", () => knowledge([]), 2, /No command was given/],
  ["another command", () => knowledge(["remove"]), 2, /no command remove/],
  ["no folder", () => knowledge(["add"]), 2, /No folder was given/],
  ["no collection", () => knowledge(["add", "."]), 2, /No collection was given[^]*address of the collection/],
  ["a collection that is none", () => knowledge(["add", ".", "--collection", "x"]), 2, /not a collection's id/],
  ["metadata without a name", () => add("--meta", "sales"), 2, /--meta sales is not a name with a value/],
  ["metadata of a name that is taken", () => add("--meta", "page=1"), 2, /"page" cannot be the name/],
  [
    "no key",
    () => knowledge(["add", ".", "--collection", crypto.randomUUID()], ""),
    2,
    /SWITCHYARD_API_KEY is not set/,
  ],
  [
    "a folder that is not there",
    () => knowledge(["add", "/nowhere/at/all", "--collection", collection, "--url", world.stack.url]),
    2,
    /cannot be read/,
  ],
  [
    "a collection of somebody else",
    () => knowledge(["add", folder, "--collection", crypto.randomUUID(), "--url", world.stack.url]),
    1,
    /no such collection/,
  ],
  [
    "a studio that does not answer",
    () => knowledge(["add", folder, "--collection", collection, "--url", "http://127.0.0.1:9"]),
    1,
    /cannot be reached[^]*Start it/,
  ],
])("says what to do about %s", async (_name, run, code, words) => {
  const ended = await run();
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(words);
});

it("prints its help", async () => {
  expect((await knowledge(["--help"])).lines[0]).toMatch(/^Brings the files of a folder/);
});
