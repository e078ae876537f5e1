import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeApiKey } from "../../../../supabase/functions/doors/testing/api-keys.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { exampleOf, snippetsOf } from "./snippets.ts";

const run = promisify(execFile);
// Where the client of OpenAI is found.
const root = fileURLToPath(new URL("../../../..", import.meta.url));
let world: WorkerWorld;
let directory: string;
let key: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  await world.publish(world.stepAgent({ name: "steps" }));
  key = (await makeApiKey(world.user, ["run:steps"])).key;
  directory = await mkdtemp(join(root, "node_modules", ".snippets-"));
});
afterAll(async () => {
  await world.stop();
  await rm(directory, { recursive: true });
});

const message = `it's "run s with 0 steps" \\ ok`;

async function output(value: string): Promise<string> {
  const { url } = world.stack;
  const used = { runUrl: `${url}/api/run/steps`, openAiUrl: `${url}/v1`, slug: "steps", takesMessages: true };
  const text = snippetsOf({ ...used, input: { message } }).find((snippet) => snippet.value === value)?.text ?? "";
  const programs: Record<string, [string, string]> = {
    curl: ["bash", "run.sh"],
    python: ["python3", "run.py"],
  };
  const [program, name] = programs[value] ?? [process.execPath, `${value}.mjs`];
  const file = join(directory, name);
  await writeFile(file, text);
  const { stdout } = await run(program, [file], { env: { PATH: process.env["PATH"], SWITCHYARD_API_KEY: key } });
  return stdout;
}

const isHere = (program: string) => spawnSync(program, ["--version"]).error === undefined;

it("the program in TypeScript runs as it stands", async () => {
  expect(await output("typescript")).toContain("s is done");
});

it.runIf(isHere("curl") && isHere("bash"))("the program for curl runs as it stands", async () => {
  expect(await output("curl")).toContain("s is done");
});

it.runIf(isHere("python3"))("the program in Python runs as it stands", async () => {
  expect(await output("python")).toContain("s is done");
});

it("the program for OpenAI's client runs as it stands", async () => {
  expect(await output("openai")).toBe(" is done");
});

it("gives an input that the trigger takes", () => {
  expect(exampleOf({ type: "object", properties: { message: { type: "string" } } })).toEqual({ message: "Hello" });
  expect(exampleOf({ examples: [{ city: "Bern" }] })).toEqual({ city: "Bern" });
  expect(exampleOf({})).toEqual({});
});
