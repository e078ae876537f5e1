import { enterAsGuest, expect, nodeCard, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { importSketch } from "./vendor-agent.ts";

test("what was typed for a run that is refused stays, with the reason, where a node and where a fork is run", async ({
  page,
}) => {
  await enterAsGuest(page);
  // The second agent has no model: the first one can run alone only.
  await importSketch(page, "Half ready", {
    nodes: {
      start: { type: "manual-trigger", title: "Start", config: { input: { message: "Hello" } } },
      first: { type: "ai-agent", title: "First" },
      model: { type: "demo-model", title: "Model", position: { x: 280, y: 360 } },
      second: { type: "ai-agent", title: "Second", config: { userMessage: "{{json.response}}" } },
    },
    edges: [
      ["start.main", "first.main"],
      ["model.model", "first.model"],
      ["first.main", "second.main"],
    ],
  });
  await saved(page);
  const choose = async (command: string) => {
    await nodeCard(page, "First").locator(".card-title").click({ button: "right" });
    await page.getByRole("menuitem", { name: command }).click();
    return page.getByRole("dialog", { name: /^Run/ });
  };
  const typed = '{ "message": "typed with care" }';
  const rest = await choose("Run from here");
  await rest.getByLabel("Value").fill(typed);
  await rest.getByRole("button", { name: "Run from here" }).click();
  await expect(rest.getByRole("alert")).toContainText(/needs a model/);
  await expect(rest.getByLabel("Value")).toHaveValue(typed);
  await look(page, "wide-run-refused");
  await page.keyboard.press("Escape");

  const alone = await choose("Run this node");
  await alone.getByLabel("Value").fill(typed);
  await alone.getByRole("button", { name: "Run this node" }).click();
  await expect(alone).toBeHidden();
  const steps = page.getByRole("listbox", { name: "Steps" });
  await steps.getByRole("option").filter({ hasText: "demo" }).first().click();
  await page.getByRole("button", { name: "Fork from here" }).click();
  const fork = page.getByRole("dialog", { name: "Fork from here" });
  const question = fork.getByRole("textbox", { name: "User" }).last();
  await question.fill("Asked once more");
  await fork.getByRole("button", { name: "Continue from here" }).click();
  await expect(fork.getByRole("alert")).toContainText(/needs a model/);
  await expect(question).toHaveValue("Asked once more");
  await look(page, "wide-fork-refused");
});
