import { expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { openDoor, publishOpened } from "./published-runs.ts";
import { enterWithSketch, type Sketch } from "./vendor-agent.ts";

const answers: Sketch = {
  nodes: {
    chat: { type: "chat-trigger", title: "Chat" },
    agent: { type: "ai-agent", title: "Agent" },
    model: { type: "demo-model", title: "Model" },
  },
  edges: [
    ["chat.main", "agent.main"],
    ["model.model", "agent.model"],
  ],
};

test("a person makes a key, a program runs what is published with it, and once revoked it opens nothing", async ({
  page,
}) => {
  await enterWithSketch(page, "Answers", answers);
  await saved(page);
  await publishOpened(page);
  const publishing = await openDoor(page, "API");
  await expect(publishing.getByText(new URL("/api/run/answers", page.url()).href, { exact: true })).toBeVisible();
  await publishing.getByRole("tab", { name: "OpenAI client" }).click();
  await expect(publishing.getByText('model: "answers"')).toBeVisible();
  await publishing.getByRole("tab", { name: "curl" }).click();
  await look(page, "wide-publish-api");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-publish-api");
  await page.setViewportSize({ width: 1440, height: 900 });
  await publishing.getByRole("switch", { name: "API" }).click();
  await expect(publishing.getByText("Every program is refused")).toBeVisible();
  const api = publishing.getByRole("switch", { name: "API" });
  await api.click();
  await expect(publishing.getByText("Programs run it with an API key")).toBeVisible();
  await expect(api).not.toHaveAttribute("aria-busy");
  await page.goto("/settings");
  await page.getByRole("link", { name: "Manage API keys" }).click();
  await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();
  await look(page, "wide-api-keys-empty");
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("switch", { name: "Run all published workflows" }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Give it a name")).toBeVisible();
  await expect(dialog.getByText("Choose at least one workflow")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Shop");
  await dialog.getByRole("checkbox", { name: "answers" }).check();
  await dialog.getByRole("textbox", { name: "US$ per day" }).fill("2");
  await look(page, "wide-api-keys-new");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await dialog.getByLabel("API key", { exact: true }).innerText()).trim();
  expect(key).toMatch(/^sy_[\w-]{43}$/);
  await look(page, "wide-api-keys-made");
  await dialog.getByRole("button", { name: "Done" }).click();

  const run = () =>
    fetch(new URL("/api/run/answers", page.url()), {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ message: "Hello" }),
    });
  const answer = await run();
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: "completed", workflow: "answers" }]);
  await page.reload();
  const line = page.getByRole("list", { name: "API keys" }).getByRole("listitem");
  await expect(line).toContainText(/Shop.*sy_.*Run answers.*\$0 of \$2 today.*Last used.*Expires/s);
  await expect(page.getByText(key)).toBeHidden();
  await look(page, "wide-api-keys");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-api-keys");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("button", { name: "New API key" }).click();
  await look(page, "narrow-api-keys-new");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Revoke Shop" }).click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(line).toContainText("Revoked");
  expect((await run()).status).toBe(401);
});
