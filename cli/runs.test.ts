import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeApiKey } from "../supabase/functions/doors/testing/api-keys.ts";
import { orderOf } from "../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../worker/testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
  await world.publish(world.stepAgent({ name: "steps" }));
});
afterAll(() => world.stop());

const script = fileURLToPath(new URL("runs.mjs", import.meta.url));

function runs(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return runsWith({}, ...args);
}

function runsWith(
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...environment } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

const read = (text: string) => JSON.parse(text) as Record<string, unknown>;
const data = () => ["--data", world.stack.dataDir];

it("starts a published workflow without a browser, waits for its end, and shows what it did", async () => {
  const input = JSON.stringify({ message: orderOf("c", 2) });
  const started = await runs("start", "steps", "--input", input, "--key", "order-1", "--wait", ...data());
  expect(started).toMatchObject({ code: 0, stderr: "" });
  const run = read(started.stdout);
  expect(run).toMatchObject({ status: "completed", output: { response: "c is done" } });
  expect(Object.keys(run)).toEqual(["id", "status", "output"]);

  const again = await runs("start", "steps", "--input", input, "--key", "order-1", ...data());
  expect(read(again.stdout)).toEqual({ id: run["id"], status: "completed" });
  const status = await runs("status", String(run["id"]), ...data());
  expect(read(status.stdout)).toEqual(run);
  const events = await runs("events", String(run["id"]), "--follow", ...data());
  const types = events.stdout
    .trim()
    .split("\n")
    .map((line) => read(line)["type"]);
  expect([types[0], types.at(-1)]).toEqual(["run-start", "run-end"]);
});

it("cancels a run, and says with exit code 1 that one did not complete", async () => {
  const started = await runs("start", "steps", "--input", JSON.stringify({ message: orderOf("d", 40) }), ...data());
  const id = String(read(started.stdout)["id"]);
  expect((await runs("cancel", id, ...data())).code).toBe(0);
  await world.eventually(async () => ((await world.row(id))["status"] === "cancelled" ? true : undefined));
  expect(await runs("status", id, ...data())).toMatchObject({ code: 1 });
});

it("says what is wrong: no such workflow or version, no such run, no studio, a mistyped command", async () => {
  const failures: [string[], number, string][] = [
    [["start", "nothing", ...data()], 1, "No workflow is published as nothing."],
    [["start", "steps", "--target", "staging", ...data()], 1, "steps has no staging version."],
    [["status", crypto.randomUUID(), ...data()], 1, "There is no run "],
    [["status", crypto.randomUUID(), "--data", "/nowhere"], 1, "No instance of Switchyard is running"],
    [["status", "7"], 2, "7 is not a run ID."],
    [["stop", "7"], 2, "There is no command stop."],
    [["start", "steps", "--input", "{", ...data()], 2, "is not valid JSON"],
  ];
  for (const [args, code, message] of failures) {
    const failure = await runs(...args);
    expect(failure.stderr).toContain(message);
    expect({ args, code: failure.code, stdout: failure.stdout }).toEqual({ args, code, stdout: "" });
  }
});

it("does the same with a studio elsewhere, by an API key", async () => {
  const { key } = await makeApiKey(world.user, ["run:steps", "runs:read"]);
  const remote = (...args: string[]) => runsWith({ SWITCHYARD_API_KEY: key }, ...args, "--url", `${world.stack.url}/`);
  const input = JSON.stringify({ message: orderOf("far", 1) });
  const started = await remote("start", "steps", "--input", input, "--key", "far-1", "--wait");
  expect(started).toMatchObject({ code: 0, stderr: "" });
  const run = read(started.stdout);
  expect(run).toMatchObject({ status: "completed", output: { response: "far is done" } });
  expect(Object.keys(run)).toEqual(["id", "status", "output"]);
  const again = await remote("start", "steps", "--input", input, "--key", "far-1", "--target", "1");
  expect(read(again.stdout)["id"]).toBe(run["id"]);
  expect(read((await remote("status", String(run["id"]))).stdout)).toEqual(run);
  for (const follow of [[], ["--follow"]]) {
    const events = await remote("events", String(run["id"]), ...follow);
    const types = events.stdout
      .trim()
      .split("\n")
      .map((line) => read(line)["type"]);
    expect([types[0], types.at(-1)]).toEqual(["run-start", "run-end"]);
  }
  const long = await remote("start", "steps", "--input", JSON.stringify({ message: orderOf("stop", 40) }));
  expect((await remote("cancel", String(read(long.stdout)["id"]))).code).toBe(0);
  const failures: [Promise<{ code: number | null; stderr: string }>, number, string][] = [
    [remote("start", "nothing"), 1, "There is no such workflow"],
    [remote("status", crypto.randomUUID()), 1, "There is no such run"],
    [runsWith({ SWITCHYARD_API_KEY: "test-key-none" }, "start", "steps", "--url", world.stack.url), 1, "API key"],
    [runsWith({ SWITCHYARD_API_KEY: "" }, "start", "steps", "--url", world.stack.url), 2, "SWITCHYARD_API_KEY"],
    [remote("start", "steps", "--data", "x"), 2, "not both"],
    [runsWith({ SWITCHYARD_API_KEY: key }, "start", "steps", "--url", "http://127.0.0.1:1"), 1, "cannot be reached"],
    [runsWith({ SWITCHYARD_API_KEY: key }, "start", "steps", "--url", "studio"), 2, "is no address"],
  ];
  for (const [failed, code, message] of failures)
    expect(await failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
});
