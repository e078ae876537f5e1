import { appFrame, showApp } from "./app-workflow.ts";
import { ask, expect, runEnded, runsStored, saved, test as base } from "./fixtures.ts";
import { signInAsGuest } from "./guest.ts";
import { look } from "./look.ts";
import { type AppServer, startAppServer } from "./servers/app-server.ts";
import { type ExampleServer, startExampleServer } from "./servers/example-server.ts";
import { startStudio, type Studio } from "./studio.ts";

const names = ["basic-react", "budget-allocator", "cohort-heatmap"] as const;

/** Public example servers of MCP Apps, from their packages. */
const test = base.extend<object, { examples: Record<string, ExampleServer>; own: AppServer; studio: Studio }>({
  own: [
    async ({}, use) => {
      const server = await startAppServer();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  examples: [
    async ({}, use) => {
      const started = await Promise.all(names.map(async (name) => [name, await startExampleServer(name)] as const));
      await use(Object.fromEntries(started));
      await Promise.all(started.map(([, server]) => server.stop()));
    },
    { scope: "worker" },
  ],
  studio: [
    async ({ examples, own }, use) => {
      const hosts = [own, ...Object.values(examples)].map(({ host }) => host);
      const studio = await startStudio({ allowHosts: hosts });
      await use(studio);
      await studio.stop();
    },
    { scope: "worker" },
  ],
});

const shows: Record<(typeof names)[number], { tool: string; text: string | RegExp }> = {
  "basic-react": { tool: "get-time", text: "Get Server Time" },
  "budget-allocator": { tool: "get-budget-data", text: "Budget Allocator" },
  "cohort-heatmap": { tool: "get-cohort-data", text: /Cohort/ },
};

for (const name of names) {
  test(`the public example server ${name} shows its interface in the chat @rest`, async ({ page, examples }) => {
    const guest = await signInAsGuest(page);
    const app = await showApp(page, guest, examples[name]?.url ?? "", shows[name].tool);
    await expect(app.locator("body")).toContainText(shows[name].text);
    await look(page, `mcp-app-${name}`, { both: true });
  });
}

test("S50 an interface reaches hosts once they are accepted, and a recording of it calls nothing @rest", async ({
  page,
  own,
}) => {
  own.wantHosts(["https://api.example.test"]);
  const guest = await signInAsGuest(page);
  const app = await showApp(page, guest, own.url, "show");
  const policy = (of: typeof app) =>
    of.evaluate(() => document.querySelector("meta[http-equiv]")?.getAttribute("content"));
  expect(await policy(app)).toContain("connect-src 'none'");
  const chat = page.getByRole("log");
  await expect(chat).toContainText("It asks for https://api.example.test, which nobody has accepted.");
  await look(page, "mcp-app-hosts-asked");

  await chat.getByRole("button", { name: "Open settings" }).click();
  const inspector = page.getByRole("region", { name: "Settings of Server" });
  await inspector.getByRole("button", { name: "List the server's tools" }).click();
  await inspector.getByText("Interfaces", { exact: true }).click();
  await inspector.getByRole("button", { name: "Accept the hosts of ui://hostile/app.html" }).click();
  await expect(inspector.getByText("accepted", { exact: true })).toBeVisible();
  await inspector.getByText("accepted", { exact: true }).scrollIntoViewIfNeeded();
  await look(page, "mcp-app-hosts-accepted");
  await saved(page);

  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  await ask(page, "b__show");
  await runEnded(page);
  await expect.poll(async () => policy(await appFrame(page, -1))).toContain("connect-src https://api.example.test");

  const before = own.called.length;
  const live = await appFrame(page, -1);
  await live.evaluate(() => void globalThis.ask("tools/call", { name: "change", arguments: {} }));
  const card = page.getByRole("region", { name: "Waiting for approval" });
  await look(page, "mcp-app-approval", { both: true });
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  await expect.poll(() => own.called.length).toBe(before + 1);
  await runsStored(page);

  const stored = await guest.runs.page({}, 10);
  expect(stored.runs).toHaveLength(3);
  const asked = own.asked();
  await page.goto(`/runs/${stored.runs[1]?.id}`);
  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  const recorded = await appFrame(page, -1);
  await expect(recorded.locator("h1")).toHaveText("Interface");
  await expect(page.getByText("recorded", { exact: false }).first()).toBeVisible();
  expect(await recorded.evaluate(() => globalThis.ask("tools/call", { name: "change", arguments: {} }))).toMatchObject({
    error: { message: expect.stringContaining("recorded run") },
  });
  expect(own.asked()).toBe(asked);
  await look(page, "mcp-app-recorded", { both: true });

  await page.goto(`/runs/${stored.runs[0]?.id}`);
  await expect(page.getByText("change").first()).toBeVisible();
  await look(page, "mcp-app-call-in-history");
});
