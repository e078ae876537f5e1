import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args]);
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
    [["start", "steps", "--target", "staging", ...data()], 1, "steps has no version that is staging."],
    [["status", crypto.randomUUID(), ...data()], 1, "There is no run "],
    [["status", crypto.randomUUID(), "--data", "/nowhere"], 1, "No instance of Switchyard is running"],
    [["status", "7"], 2, "7 is no id of a run."],
    [["stop", "7"], 2, "There is no command stop."],
    [["start", "steps", "--input", "{", ...data()], 2, "is not valid JSON"],
  ];
  for (const [args, code, message] of failures) {
    const failure = await runs(...args);
    expect(failure.stderr).toContain(message);
    expect({ args, code: failure.code, stdout: failure.stdout }).toEqual({ args, code, stdout: "" });
  }
});
