import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { databaseRows } from "./canary/database-rows.ts";
import { placesWith, spellings } from "./canary/spellings.ts";
import { watchPage } from "./canary/watch-page.ts";
import {
  ask,
  canvasReady,
  chooseCredential,
  enterAsGuest,
  expect,
  importWorkflow,
  makeCredential,
  nodeCard,
  runEnded,
  saved,
  showRun,
  test as base,
} from "./fixtures.ts";
import { startOpenaiServer } from "./servers/openai-server.ts";
import { startStudio } from "./studio.ts";

/** A studio whose database is looked into after it has stopped. */
const test = base.extend<object, { dataDir: string }>({
  dataDir: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "switchyard-canary-"));
      await use(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  studio: [
    async ({ api, dataDir }, use) => {
      const studio = await startStudio({ allowHosts: [new URL(api.url).host], dataDir });
      await use(studio);
      await studio.stop();
    },
    { scope: "worker" },
  ],
});

const first = "test-key-canary-first-7f3a9c1e5b";
const second = "test-key-canary/second+8d2b&4e6f=";
const bearer = "test-key-canary-bearer-0a1b2c3d4e";
const canaries = [first, second, bearer];

const document = buildWorkflow({
  name: "Canary",
  nodes: {
    chat: ["chat-trigger", {}, "Chat"],
    agent: ["ai-agent", {}, "Agent"],
    model: ["openai-compatible-model", { model: "gpt-4o-mini" }, "Model"],
    memory: ["window-memory", {}, "Memory"],
    http: ["http-request-tool", { url: '{{ai("url", "The address", "string")}}' }, "Web"],
  },
  edges: [
    "chat.main -> agent.main",
    "model.model -> agent.model",
    "memory.memory -> agent.memory",
    "http.tool -> agent.tools",
  ],
});
for (const [index, node] of Object.values(document.nodes).entries())
  node.position = { x: index * 280, y: (index % 2) * 200 };

/** Every way in which a call of the loopback vendor can go. */
const calls = [
  "Hello",
  "Wrong [echo key]",
  "Again [429]",
  "Refused [400]",
  "Lost [404]",
  "Broken [500]",
  "Cut [cut]",
  "Odd [malformed]",
  "Late [stream error]",
  "Poor [quota]",
  "Long [context]",
  "Short [length]",
  "Filtered [filter]",
  "No [refuse]",
  "Deep [think]",
  "Torn [bad arguments]",
];

test("S43 no key comes back, whatever happens to it", async ({ page, api, studio, dataDir }) => {
  const vendor = await startOpenaiServer({ key: second });
  const record = await watchPage(page);
  const idle = () => runEnded(page, { timeout: 60_000 });
  await enterAsGuest(page);

  await test.step("a credential is made, tested, refused, replaced and renamed", async () => {
    await page.goto("/credentials");
    await makeCredential(page, /^OpenAI-compatible/, [
      [/^Name/, "Vendor"],
      [/Base URL/, "http://169.254.169.254/v1"],
      [/API key/, first],
    ]);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("alert")).toContainText(/address/i);
    await dialog.getByLabel(/Base URL/).fill(vendor.baseUrl);
    await dialog.getByRole("button", { name: "Save credential" }).click();
    await expect(dialog).toContainText("refused the credential with status 401: Incorrect API key");
    // The fields still hold what was typed; what is said of it does not.
    expect(placesWith(canaries, [{ place: "refusal", text: await dialog.innerText() }])).toEqual([]);
    await dialog.getByRole("button", { name: "Save without testing" }).click();
    await expect(dialog).toBeHidden();
    await record.look("credentials page");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("refused the credential with status 401: Incorrect API key");
    await page.getByRole("button", { name: "Actions for Vendor" }).click();
    await page.getByRole("menuitem", { name: "Replace the secret" }).click();
    await dialog.getByLabel(/Base URL/).fill(vendor.baseUrl);
    await dialog.getByLabel(/API key/).fill(second);
    await dialog.getByRole("button", { name: "Replace secret" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByText(/accepted the credential/)).toBeVisible();
    await makeCredential(page, /bearer/i, [
      [/^Name/, "Web token"],
      [/Token/, bearer],
      [/Allowed hosts/, new URL(api.url).host],
    ]);
    await expect(dialog).toBeHidden();
    await record.look("credentials page after");
  });

  await test.step("nodes use them, and the model list is fetched", async () => {
    await page.goto("/");
    await importWorkflow(page, document);
    await chooseCredential(page, "Model", "Vendor");
    await page.getByRole("button", { name: "Fetch the provider's list again" }).click();
    await page.getByRole("combobox", { name: /^Model/ }).click();
    await expect(page.getByRole("option", { name: /gpt-4o-mini/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("option", { name: /gpt-4o-mini/ })).toHaveCount(0);
    // Its settings lie over the card of the next one.
    const settings = page.getByRole("region", { name: "Settings of Model" });
    await settings.getByRole("button", { name: "Close" }).click();
    await expect(settings).toBeHidden();
    await chooseCredential(page, "Web", "Web token");
    await record.look("inspector");
    await page.getByRole("button", { name: "Test", exact: true }).click();
  });

  await test.step("the model answers, fails and breaks off in every way", async () => {
    for (const message of [...calls, `Read ${api.url}/echo?x=1`]) {
      const before = vendor.requests.length;
      await ask(page, message);
      await expect.poll(() => vendor.requests.length).toBeGreaterThan(before);
      await idle();
      await record.look(`after "${message}"`);
    }
    expect(vendor.requests.at(-1)?.headers.authorization).toBe(`Bearer ${second}`);
    expect(api.requests.at(-1)?.headers.authorization).toBe(`Bearer ${bearer}`);
    await expect(page.getByRole("log")).toContainText('(credential "Vendor")');
    await expect(page.getByRole("log")).toContainText("[redacted]");
  });

  await test.step("the vendor is gone", async () => {
    await vendor.close();
    await ask(page, "Anybody there?");
    await expect(page.getByRole("log")).toContainText('Credential "Vendor":', { timeout: 60_000 });
    await idle();
    for (const view of ["Steps", "Logs"] as const) {
      await showRun(page, view);
      await record.look(view);
    }
    await page.getByRole("tab", { name: "History" }).click();
    await record.look("History");
    await saved(page);
    await page.reload();
    await canvasReady(page);
    await expect(nodeCard(page, "Agent")).toBeVisible();
    await record.look("after a reload");
  });

  await test.step("the credential is deleted, and its workflow is named", async () => {
    await page.goto("/credentials");
    await page.getByRole("button", { name: "Actions for Vendor" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("dialog", { name: "Delete Vendor?" })).toContainText("Canary");
    await page.getByRole("button", { name: "Delete credential" }).click();
    await expect(page.getByRole("heading", { name: "Vendor", exact: true })).toBeHidden();
    await record.look("after the deletion");
  });

  await test.step("the keys are nowhere", async () => {
    // The record holds what it would be found in: streams of the proxy, with the echoed key taken out.
    const relayed = record.seen().filter(({ place }) => place.includes("/llm-proxy/chat/completions"));
    expect(relayed.length).toBeGreaterThan(calls.length);
    expect(relayed.some(({ text }) => text.includes("[redacted]"))).toBe(true);
    expect(placesWith(canaries, record.seen())).toEqual([]);
    // A key travels when it is saved: to the wrong address, to the right one, there without a test, its replacement, and
    // the token.
    const carrying = record.sent().filter(({ body }) => canaries.some((canary) => body.includes(canary)));
    expect(new Set(carrying.map(({ url }) => new URL(url).pathname))).toEqual(new Set(["/functions/v1/credentials"]));
    expect(carrying).toHaveLength(5);
    await studio.stop();
    expect(placesWith(canaries, [{ place: "server output", text: studio.output() }])).toEqual([]);
    const rows = await databaseRows(dataDir);
    expect(rows.find(({ place }) => place === "public.studio_run_events")?.text).toContain("[redacted]");
    expect(placesWith(canaries, rows)).toEqual([]);
    const found = [];
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      if (canaries.flatMap(spellings).some((needle) => bytes.includes(needle))) found.push(entry.name);
    }
    expect(found).toEqual([]);
  });
});
