import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundledConfig, largestBundle, writeFunctionBundles } from "../../cli/deploy/function-bundles.ts";
import { type LoopbackServer, startLoopbackServer } from "../functions/_shared/testing/loopback-server.ts";
import { findDeno } from "../local/functions/deno-binary.ts";
import { type ManagementApi, startManagementApi, type UploadedFunction } from "./testing/management-api.ts";
import { openSupabaseCli, type SupabaseCli } from "./testing/supabase-cli.ts";

const root = join(import.meta.dirname, "..", "..");
const ref = "abcdefghijklmnopqrst";
const running: ChildProcess[] = [];

let api: ManagementApi;
/** In the place of the project's Data API: it allows every call. */
let data: LoopbackServer;
let cli: SupabaseCli;

beforeAll(async () => {
  data = await startLoopbackServer((_request, response) => response.end('{"wait":0,"remaining":9,"reset":60}'));
  api = await startManagementApi();
});
afterAll(async () => {
  await api.stop();
  await data.stop();
});
beforeEach(async () => {
  cli = await openSupabaseCli();
  api.uploaded.length = 0;
  await writeFile(join(cli.workdir, "profile.yaml"), api.profile);
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  await cli.remove();
});

async function deploy(): Promise<UploadedFunction[]> {
  const profile = join(cli.workdir, "profile.yaml");
  const result = await cli.run("functions", "deploy", "--use-api", "--project-ref", ref, "--profile", profile);
  expect(result, result.output).toMatchObject({ code: 0 });
  return api.uploaded;
}

/** Starts a function from what was uploaded of it alone, beside the packages, and calls it as nobody. */
async function callUploaded({ slug, files, entrypoint }: UploadedFunction): Promise<Response> {
  const folder = join(cli.workdir, "uploaded", slug);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const name of ["node_modules", "package.json"]) await symlink(join(root, name), join(folder, name));
  const importMap = [...files.keys()].find((path) => path.endsWith("deno.json"));
  const args = ["run", "--no-prompt", "--no-check", "--no-lock", "--cached-only", "--node-modules-dir=manual"];
  if (importMap !== undefined) args.push(`--config=${join(folder, importMap)}`);
  const child = spawn(findDeno(), [...args, "--allow-net", "--allow-env", "--allow-read", join(folder, entrypoint)], {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      SUPABASE_URL: `http://${data.host}`,
      SUPABASE_ANON_KEY: "test-key-anon",
      SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
    child.once("exit", () => reject(new Error(`${slug} does not start:\n${said.join("\n")}`)));
    const look = setInterval(() => {
      const found = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said.join("\n"))?.[1];
      if (found === undefined) return;
      clearInterval(look);
      resolve(found);
    }, 20);
    child.once("exit", () => clearInterval(look));
  });
  const response = await fetch(`http://127.0.0.1:${port}/${slug}`, { method: "POST", body: "{}" });
  child.kill("SIGKILL");
  return response;
}

/** What each answers, by its name. */
async function answers(uploaded: readonly UploadedFunction[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const each of uploaded) {
    expect(each.verifyJwt, each.slug).toBe(false);
    statuses[each.slug] = (await callUploaded(each)).status;
  }
  return statuses;
}

const { names } = bundledConfig(await readFile(join(root, "supabase", "config.toml"), "utf8"));
/** Doors have nothing at that path; all others want to know who calls. */
const expected = Object.fromEntries(names.map((name) => [name, name === "doors" ? 404 : 401]));

test("what npm run deploy-functions uploads serves by itself, and is no larger than a project takes", async () => {
  await writeFunctionBundles(root, cli.workdir);
  const uploaded = await deploy();
  for (const { slug, bytes } of uploaded) expect(bytes, slug).toBeLessThan(largestBundle);
  expect(await answers(uploaded)).toEqual(expected);
});

test("functions that are deployed as sources bring every file that they import", async () => {
  await cp(join(root, "supabase"), join(cli.workdir, "supabase"), { recursive: true });
  await cp(join(root, "src"), join(cli.workdir, "src"), { recursive: true });
  expect(await answers(await deploy())).toEqual(expected);
});
