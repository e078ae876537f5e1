import {
  ask,
  asksBeforeClosing,
  canvasReady,
  enterAsGuest,
  enterWithTemplate,
  expect,
  nodeCard,
  runEnded,
  runsStored,
  showRun,
  test,
} from "./fixtures.ts";
import { enterWithSketch, importSketch, openVendorAgent } from "./vendor-agent.ts";

test("a workflow that cannot run says what is missing instead of starting", async ({ page }) => {
  await enterWithSketch(page, "No model", {
    nodes: { start: { type: "manual-trigger", title: "Start" }, agent: { type: "ai-agent", title: "Agent" } },
    edges: [["start.main", "agent.main"]],
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText('"Agent" needs a model. Connect a model');
});

test("a wrong key ends in an error that says what to do, and S43 the key is nowhere", async ({
  page,
  vendor,
  studio,
}) => {
  const wrong = "test-key-wrong-4821";
  await openVendorAgent(page, vendor.baseUrl, wrong);
  await ask(page, "Hello");
  await expect(nodeCard(page, "Agent").locator(".card-run")).toHaveAttribute("data-status", "failed");
  await expect(page.getByRole("log")).toContainText(/key|credential/i);
  await expect(
    page
      .getByRole("log")
      .getByRole("button", { name: /again|retry/i })
      .first(),
  ).toBeVisible();
  const storage = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  for (const place of [await page.content(), storage, studio.output()]) expect(place).not.toContain(wrong);
});

test("S51 a busy vendor is tried again with a countdown on the node, then answers", async ({ page, vendor }) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  // The countdown stands for a moment only.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      for (const run of document.querySelectorAll(".react-flow__node .card-run")) seen.push(run.textContent ?? "");
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  // In words of its own, since the vendor counts how often it has heard the very same.
  await ask(page, `Patience ${Date.now()} [429]`);
  await expect(page.getByRole("log")).toContainText("You said");
  const seen = await page.evaluate(() => Reflect.get(window, "seen") as string[]);
  expect(seen).toContainEqual(expect.stringMatching(/retry \d of 3\s*in \d s/));
  await showRun(page, "Steps");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("Retry 2 of 3");
});

test("S56 Stop aborts the open request, and the turn is there after a reload as it was stopped", async ({
  page,
  vendor,
}) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key);
  await ask(page, "Speak [slow]");
  await expect(page.getByRole("log")).toContainText("This answer takes");
  await page.getByRole("button", { name: "Stop", exact: true }).first().click();
  await runEnded(page);
  await expect.poll(() => vendor.requests.at(-1)?.aborted).toBe(true);
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await expect(nodeCard(page, "Agent")).toBeVisible();
  const log = page.getByRole("log");
  await expect(log).toContainText("Speak [slow]");
  await expect(log).toContainText("This answer takes");
  await expect(log).toContainText("Stopped by you");
  await ask(page, "What did I ask before?");
  // The model is told of it.
  await expect(log).toContainText('Earlier you asked: "Speak [slow]"');
});

test("two agents are two named bubbles, and after a reload a draft and the answer @rest", async ({ page }) => {
  await enterWithSketch(page, "Two", {
    nodes: {
      chat: { type: "chat-trigger", title: "Chat" },
      writer: { type: "ai-agent", title: "Writer" },
      editor: { type: "ai-agent", title: "Editor", config: { userMessage: "Improve: {{json.response}}" } },
      model: { type: "demo-model", title: "Model" },
      memory: { type: "window-memory", title: "Memory", config: { sessionId: "{{nodes.chat.sessionId}}" } },
    },
    edges: [
      ["chat.main", "writer.main"],
      ["writer.main", "editor.main"],
      ["model.model", "writer.model"],
      ["model.model", "editor.model"],
      ["memory.memory", "writer.memory"],
      ["memory.memory", "editor.memory"],
    ],
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Write a line about the sea");
  await runEnded(page);
  await runsStored(page);
  const log = page.getByRole("log");
  const shown = async () => {
    await expect(log.getByRole("region", { name: "Editor" })).toBeVisible();
    await expect(log.getByRole("region", { name: "Writer" }).getByRole("button")).toHaveAttribute(
      "aria-expanded",
      "false",
    );
    await expect(log.getByText("You:")).toHaveCount(1);
  };
  await shown();
  await page.reload();
  await canvasReady(page);
  await shown();
});

test("an old run opens on the canvas from the history", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 2 + 3?");
  await expect(page.getByRole("log")).toContainText("is 5.");
  await runEnded(page);
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await expect(nodeCard(page, "Agent")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  const history = page.getByRole("tabpanel", { name: "History" });
  await history.getByRole("button").or(history.getByRole("option")).first().click();
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveAttribute("data-status", "done");
});

test("the view follows the active node until a person pans @rest", async ({ page }) => {
  await enterAsGuest(page);
  const fields = Array.from({ length: 6 }, (_, index) => [
    `step${index}`,
    { type: "set-fields", title: `Step ${index}` },
  ]);
  const line = ["start", ...fields.map(([id]) => String(id)), "agent"];
  await importSketch(page, "Wide", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { message: "Say hello to everyone" } } },
      ...Object.fromEntries(fields),
      agent: { type: "ai-agent", title: "Agent" },
      model: { type: "demo-model", title: "Model", config: { wordDelayMs: 1_000 } },
    },
    edges: [
      ...line.slice(1).map((id, index): [string, string] => [`${line[index]}.main`, `${id}.main`]),
      ["model.model", "agent.model"],
    ],
  });
  const agent = nodeCard(page, "Agent");
  await expect(async () => {
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect(agent).not.toBeInViewport({ timeout: 400 });
  }).toPass();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(agent).toBeInViewport({ ratio: 0.95 });
  const follow = page.getByRole("button", { name: "Follow runs" });
  await expect(follow).toHaveAttribute("aria-pressed", "true");
  await page.mouse.move(700, 200);
  await page.mouse.wheel(-300, 0);
  await expect(follow).toHaveAttribute("aria-pressed", "false");
});

test("a run goes on while another page is open, waits for its approval, and ends with its page", async ({ page }) => {
  await enterWithTemplate(page, "Approval flow");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const log = page.getByRole("log");
  const approve = log.getByRole("button", { name: "Approve", exact: true });
  await ask(page, "Please issue_refund for order 1001");
  await expect(approve).toBeVisible();

  const asks = () => asksBeforeClosing(page);
  expect(await asks()).toBe(true);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  const pill = page.getByRole("link", { name: "Approval flow is waiting for you" });
  await expect(pill).toHaveText("1 waiting");
  expect(await asks()).toBe(true);
  await pill.click();
  await approve.click();
  await expect(log).toContainText("R-1001");
  await runEnded(page);
  await expect(pill).toHaveCount(0);
  // Until the end of the run is stored, too.
  await expect.poll(asks).toBe(false);
  await expect(log.getByText("Please issue_refund for order 1001")).toHaveCount(1);

  // Left again before the end: said where the person is, and shown on return.
  await ask(page, "Please issue_refund for order 1001 again");
  await expect(approve).toBeVisible();
  await page.getByRole("button", { name: "All workflows" }).click();
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(approve).toBeVisible();

  // A run in the browser ends with its page, which says so.
  page.once("dialog", (leaving) => void leaving.accept());
  await page.reload();
  await canvasReady(page);
  const notice = page.getByRole("status").filter({ hasText: "The run was interrupted" });
  await expect(notice).toContainText("It was waiting for your approval of issue_refund, which was not called.");
  await page.getByRole("button", { name: "Show the run" }).click();
  await expect(page).toHaveURL(/\/runs\//);
});
