import { ask, canvasReady, expect, nodeCard, runEnded, runsStored, showRun, test } from "./fixtures.ts";
import { openVendorAgent } from "./vendor-agent.ts";

test("an answer that was cut, declined or went round in circles says so in chat, card, steps and history", async ({
  page,
  vendor,
}) => {
  await openVendorAgent(page, vendor.baseUrl, vendor.key, { config: { repeatedCallLimit: 1 }, calculator: true });
  const chat = page.getByRole("log");
  const card = nodeCard(page, "Agent");

  await ask(page, "Tell me [length]");
  await expect(chat).toContainText("The answer was cut off at the model's token limit.");
  await expect(card.locator(".card-run")).toHaveAttribute("data-ending", "length");
  await runEnded(page);

  await ask(page, "Harm [refuse]");
  await expect(chat).toContainText("The model declined to answer.");
  await expect(card.locator(".card-run")).toHaveAttribute("data-ending", "refused");
  await runEnded(page);

  await ask(page, "Again [loop]");
  await expect(chat).toContainText("made the same call of calculator 2 times with the same result");
  await expect(card.locator(".card-run")).toContainText("repeated call");
  await runEnded(page);

  // The next message knows the conversation, and a plain end is a plain end.
  await ask(page, "What did I ask before?");
  await expect(chat).toContainText('Earlier you asked: "Tell me [length]", "Harm [refuse]", "Again [loop]"');
  await expect(card.locator(".card-run")).not.toHaveAttribute("data-ending");

  await page.getByRole("tab", { name: "History" }).click();
  const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect(runs).toHaveText([/Completed/, /Repeated call/, /Declined/, /Token limit/]);
  await page.reload();
  await canvasReady(page);
  await page.getByRole("tab", { name: "Chat" }).click();
  // The window has dropped the first turn by now.
  await expect(chat.getByText("Declined or filtered")).toBeVisible();
  await expect(chat.getByText("Stopped because it kept repeating the same call")).toBeVisible();
});

const limits = [
  {
    name: "iteration limit",
    config: { maxIterations: 2, repeatedCallLimit: 50, onIterationLimit: "stop" },
    message: "Stopped after 2 iterations.",
    action: "Raise the limit",
    field: /^Iteration limit/,
  },
  {
    name: "round limit",
    config: { autoIterate: true, maxRounds: 2 },
    message: "Stopped after 2 rounds, before the model said it was done.",
    action: "Raise the limit",
    field: /^Round limit/,
  },
  {
    name: "token budget",
    config: { maxTotalTokens: 1 },
    message: /Stopped at the token budget: \d+ of 1 tokens\./,
    action: "Raise the budget",
    field: /^Token budget/,
  },
] as const;

for (const { name, config, message, action, field } of limits) {
  test(`a run stopped at its ${name} says so everywhere and leads to the setting @rest`, async ({ page, vendor }) => {
    await openVendorAgent(page, vendor.baseUrl, vendor.key, { config, calculator: true });
    await ask(page, name === "round limit" ? "Write a poem" : "Go on [loop]");
    const chat = page.getByRole("log");
    await expect(chat).toContainText(message);
    await runEnded(page);
    await expect(nodeCard(page, "Agent").locator(".card-error")).toContainText(message);

    await showRun(page, "Steps");
    await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText(message);
    await page.getByRole("tab", { name: "Chat" }).click();
    await chat.getByRole("button", { name: action }).click();
    const settings = page.getByRole("region", { name: "Settings of Agent" });
    await expect(settings.getByLabel(field)).toBeFocused();

    await runsStored(page);
    await page.goto("/runs");
    // It stands twice, once for wide windows and once for narrow ones.
    await expect(page.getByText(message).filter({ visible: true })).toHaveCount(1);
  });
}
