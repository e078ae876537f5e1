import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const root = await mkdtemp(join(tmpdir(), "switchyard-start-"));
const data = join(root, "data");
const running: ChildProcess[] = [];
let first: Started;

interface Started {
  process: ChildProcess;
  url: string;
}

beforeAll(async () => {
  first = await start("--port", "0", "--data", data);
  // The first start may build the site.
}, 240_000);

afterAll(async () => {
  for (const one of running) one.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, ["cli/start.mjs", "--no-open", ...args], { cwd: projectRoot });
  running.push(child);
  let output = "";
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /running at (\S+)/.exec(output)?.[1];
      if (url) resolve({ process: child, url });
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("exit", () => reject(new Error(`It did not start: ${output}`)));
  });
}

function runScript(script: string, ...args: string[]) {
  return spawnSync(process.execPath, [`cli/${script}.mjs`, ...args], { cwd: projectRoot, encoding: "utf8" });
}

function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });
}

/** Processes whose command line mentions our data directory: the functions' Deno. */
function helpers(directory: string): string {
  return spawnSync("pgrep", ["-f", `deno.*--deny-read=${directory}`], { encoding: "utf8" }).stdout.trim();
}

test("the address serves the site with its configuration, the API and the functions", async () => {
  const page = await (await fetch(first.url)).text();
  const [, json] = /<script type="application\/json" id="switchyard-config">(.*?)<\/script>/.exec(page) ?? [];
  const { supabaseUrl, supabaseKey } = JSON.parse(json ?? "{}");
  expect(supabaseUrl).toBe("");
  const settings = await fetch(`${first.url}/auth/v1/settings`, { headers: { apikey: supabaseKey } });
  expect(settings.status).toBe(200);
  expect((await fetch(`${first.url}/functions/v1/execute-http`, { method: "POST" })).status).toBe(401);
});

test("status prints how to reach the running instance, as an env file", () => {
  const { stdout, status } = runScript("status", "--data", data);
  expect(stdout).toMatch(
    new RegExp(
      `^API_URL="${first.url}"\nPUBLISHABLE_KEY="sb_publishable_[\\w-]+"\nDATA_DIR="${data}"\nWORKERS="studio-1 idle"\n$`,
    ),
  );
  expect(status).toBe(0);
});

test("a second start with the same data is refused", () => {
  const { stderr, status } = runScript("start", "--no-open", "--port", "0", "--data", data);
  expect(stderr).toContain(`already running at ${first.url} with this data directory`);
  expect(status).toBe(1);
});

test("a taken port is named, with what to do", () => {
  const port = new URL(first.url).port;
  const { stderr, status } = runScript("start", "--no-open", "--port", port, "--data", join(root, "other"));
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is already in use`);
  expect(stderr).toContain("--port");
  expect(status).toBe(1);
});

test("a wrong option and --help say what there is", () => {
  const wrong = runScript("start", "--nope");
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("Unknown option --nope")]);
  const help = runScript("start", "--help");
  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining("--data <dir>")]);
});

test("SIGTERM stops everything in order, with exit code 0", async () => {
  expect(helpers(data)).not.toBe("");
  expect(await stop(first.process, "SIGTERM")).toBe(0);
  expect(existsSync(join(data, "instance.json"))).toBe(false);
  expect(helpers(data)).toBe("");
  const { stdout, stderr, status } = runScript("status", "--data", data);
  expect([stdout, status]).toEqual(["", 1]);
  expect(stderr).toContain("No instance of Switchyard is running");
});

test("killed, it leaves no process behind, and status does not take its remains for a running instance", async () => {
  const again = await start("--port", "0", "--data", data);
  await stop(again.process, "SIGKILL");
  await expect.poll(() => helpers(data)).toBe("");
  expect(existsSync(join(data, "instance.json"))).toBe(true);
  expect(runScript("status", "--data", data).status).toBe(1);
  const third = await start("--port", "0", "--data", data);
  // Whoever read its output is gone.
  third.process.stdout?.destroy();
  expect(await stop(third.process, "SIGINT")).toBe(0);
});
