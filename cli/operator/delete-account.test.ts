import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newGuestAccount } from "../../src/state/account/storage/guest-account.ts";
import { createTestClient, signUp } from "../../supabase/local/testing/clients.ts";
import { plant } from "../../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { parseDeleteAccountArguments } from "./delete-account-arguments.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

/** As the operator calls it, beside the running studio. */
async function command(...typed: string[]) {
  const child = spawn(process.execPath, ["cli/delete-account.mjs", ...typed], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (part: Buffer) => (output.stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (output.stderr += part.toString()));
  const [status] = (await once(child, "close")) as [number];
  return { status, ...output };
}

const users = (id: string) => stack.sql("select id from auth.users where id = $1", [id]);

test("lists what an account holds, and deletes it once that is confirmed", async () => {
  const user = await signUp(stack);
  const other = await signUp(stack);
  for (const owner of [user, other]) {
    await plant(stack, "studio_run_events", owner);
    await plant(stack, "studio_credentials", owner);
  }
  const listed = await command(user.email.toUpperCase(), "--dry-run", "--data", stack.dataDir);
  expect(listed).toMatchObject({ status: 0, stderr: "" });
  expect(listed.stdout).toContain(`The account ${user.email}, made on `);
  for (const line of ["1  workflows", "1  runs", "1  steps of runs", "1  credentials", "Nothing was deleted."]) {
    expect(listed.stdout).toContain(line);
  }
  expect(listed.stdout).not.toContain("API keys");

  // Nobody sits at a terminal here.
  const asked = await command(user.email, "--data", stack.dataDir);
  expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining("Nothing was deleted.") });
  expect(await users(user.userId)).toHaveLength(1);

  const done = await command(user.email, "--yes", "--data", stack.dataDir);
  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining(`The account ${user.email} is deleted`) });
  expect(await users(user.userId)).toEqual([]);
  expect((await user.client.from("studio_workflows").select("id")).error).not.toBeNull();
  expect((await other.client.from("studio_workflows").select("id")).data).toHaveLength(1);
});

test("deletes guests as well", async () => {
  const guest = newGuestAccount();
  const { data } = await createTestClient(stack).auth.signUp(guest);
  expect((await command(guest.email, "--yes", "--data", stack.dataDir)).status).toBe(0);
  expect(await users(data.user?.id ?? "")).toEqual([]);
});

test("says whom it does not know, and where no studio runs", async () => {
  const cases: [string[], string][] = [
    [["nobody@example.test", "--yes", "--data", stack.dataDir], "No account of the studio has the address nobody@"],
    [["ada@example.test", "--yes", "--data", `${stack.dataDir}-none`], "No instance of Switchyard is running"],
  ];
  for (const [typed, words] of cases) {
    expect(await command(...typed)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(words) });
  }
});

test("is called with one address", () => {
  expect(parseDeleteAccountArguments(["--help"])).toBeNull();
  expect(parseDeleteAccountArguments(["ada@example.com", "-y", "--data", "mine"])).toEqual({
    email: "ada@example.com",
    dryRun: false,
    yes: true,
    data: "mine",
  });
  for (const [typed, words] of [
    [[], "No e-mail address was given"],
    [["ada"], "ada is not an e-mail address"],
    [["ada@example.com", "grace@example.com"], "One account at a time"],
    [["ada@example.com", "--nonsense"], "--nonsense"],
  ] as const) {
    const refusal = { message: expect.stringContaining(words), hint: expect.stringMatching(/\S/), exitCode: 2 };
    expect(() => parseDeleteAccountArguments(typed)).toThrow(expect.objectContaining(refusal));
  }
});
