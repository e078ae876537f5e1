import {
  ask,
  canvasReady,
  enterWithTemplate,
  expect,
  nodeCard,
  runEnded,
  runsStored,
  saved,
  test,
} from "./fixtures.ts";
import { look } from "./look.ts";
import { enterWithSketch } from "./vendor-agent.ts";

test("a newcomer asks with tools, reads the calls, reloads, and the agent remembers", async ({ page, api }) => {
  await enterWithTemplate(page, "Ask with tools");

  // Every state that a card or an edge shows while the run goes on, in the order of appearance.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      for (const card of document.querySelectorAll(".react-flow__node")) {
        const title = card.querySelector(".card-title")?.textContent ?? "";
        const status = card.querySelector(".card-run")?.getAttribute("data-status");
        const mark = `${title}: ${status}`;
        if (status && !seen.includes(mark)) seen.push(mark);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, `My name is Ada. What is 12.5% of 480, and what does ${api.url}/weather?city=Oslo say?`);
  const log = page.getByRole("log");
  await expect(log).toContainText("is 60.");
  await expect(log).toContainText("snow");
  await runEnded(page);

  for (const title of ["Chat message", "Agent", "Demo model", "Window memory", "Calculator", "HTTP request"]) {
    await expect(nodeCard(page, title).locator(".card-run")).toHaveAttribute("data-status", "done");
  }
  const seen = await page.evaluate(() => Reflect.get(window, "seen") as string[]);
  expect(seen).toContain("Agent: running");
  expect(seen).toContain("Demo model: running");

  await page.getByRole("button", { name: "See what was sent" }).click();
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await steps.getByRole("option", { name: /^calculator/ }).click();
  await expect(steps).toContainText("expression");
  await expect(steps).toContainText("60");

  await saved(page);
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await expect(nodeCard(page, "Agent")).toBeVisible();
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(page.getByRole("log")).toContainText("My name is Ada");
  await ask(page, "What is my name?");
  await expect(page.getByRole("log")).toContainText(/your name is Ada/i);
});

test("the same workflow runs on a real model's wire format, with a key that never comes back", async ({
  page,
  vendor,
  api,
  studio,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Use a real model" }).click();
  const dialog = page.getByRole("dialog", { name: "Use a real model" });
  await dialog.getByText("OpenAI-compatible", { exact: true }).click();
  await dialog.getByLabel(/Base URL/).fill(vendor.baseUrl);
  await dialog.getByLabel(/API key/).fill(vendor.key);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByRole("status")).toHaveText("The connection works.");
  await dialog.getByRole("combobox", { name: "Model" }).fill("gpt-4o-mini");
  await look(page, "real-model");
  await dialog.getByRole("button", { name: "Use this model" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Use a real model" })).toHaveCount(0);
  await expect(nodeCard(page, "OpenAI-compatible")).toContainText("gpt-4o-mini");
  await saved(page);

  await ask(page, `What is 6 * 7, and what does ${api.url}/weather?city=Lisbon say?`);
  await expect(page.getByRole("log")).toContainText("42");
  await expect(page.getByRole("log")).toContainText("sunny");
  expect(vendor.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${vendor.key}`);
  expect(await page.content()).not.toContain(vendor.key);
  expect(studio.output()).not.toContain(vendor.key);
});

test("S92 a real model without a known price asks for one where an agent has a cost budget", async ({
  page,
  vendor,
}) => {
  const guest = await enterWithSketch(page, "Within a budget", {
    nodes: {
      chat: { type: "chat-trigger", title: "Chat" },
      agent: { type: "ai-agent", title: "Agent", config: { maxCostUsd: 1 } },
      model: { type: "demo-model", title: "Demo" },
    },
    edges: [
      ["chat.main", "agent.main"],
      ["model.model", "agent.model"],
    ],
  });
  await guest.credentialFor(vendor.baseUrl, { apiKey: vendor.key });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Use a real model" }).click();
  const dialog = page.getByRole("dialog", { name: "Use a real model" });
  await dialog.getByRole("combobox", { name: "Model" }).fill("my-model");
  const use = dialog.getByRole("button", { name: "Use this model" });
  await expect(dialog.getByRole("status")).toHaveText("The connection works.");
  await expect(use).toBeDisabled();
  await dialog.getByLabel("Input price").fill("free");
  await expect(dialog.getByRole("alert")).toHaveText("Enter a number from 0.");
  await dialog.getByLabel("Input price").fill("0");
  await dialog.getByLabel("Output price").fill("0");
  await look(page, "real-model-price");
  await use.click();
  await ask(page, "What is 6 * 7?");
  await expect(page.getByRole("log")).not.toContainText("price");
  await runEnded(page);
  expect(vendor.requests.length).toBeGreaterThan(0);
});
