import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NodeExchange } from "./http-server.ts";
import { withScanFiles } from "./scan-files.ts";

const folder = await mkdtemp(join(tmpdir(), "switchyard-ocr-"));
const handler = withScanFiles(folder, async () => new Response("site"), { "x-frame-options": "DENY" });
const get = (path: string, method = "GET") =>
  handler(new Request(`http://127.0.0.1${path}`, { method }), {} as NodeExchange);

beforeAll(async () => {
  await writeFile(join(folder, "recognizer.mjs"), "export default 1;");
  await writeFile(join(folder, "eng.traineddata.gz"), "data");
  await writeFile(join(folder, "recognizer.cjs"), "secret");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("text recognition is served as it was installed, with the headers of the site", async () => {
  const code = await get("/ocr/recognizer.mjs");
  expect(code.headers.get("content-type")).toContain("text/javascript");
  expect(code.headers.get("x-frame-options")).toBe("DENY");
  expect(await code.text()).toBe("export default 1;");
  const data = await get("/ocr/eng.traineddata.gz");
  expect(data.headers.get("content-encoding")).toBeNull();
  expect(await data.text()).toBe("data");
});

test("what is not installed is not found, and cannot be written", async () => {
  expect((await get("/ocr/installed.json")).status).toBe(404);
  expect((await get("/ocr/deu.traineddata.gz")).status).toBe(404);
  expect((await get("/ocr/recognizer.mjs", "POST")).status).toBe(405);
});

test("nothing else of the folder is served", async () => {
  for (const path of ["/ocr/recognizer.cjs", "/ocr/", "/ocr/../recognizer.mjs", "/ocr/%2e%2e%2frecognizer.mjs", "/"]) {
    expect(await (await get(path)).text(), path).toBe("site");
  }
});
