import { enterAsGuest, expect, nodeCard, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { importSketch } from "./vendor-agent.ts";

test("what was typed for a run that is refused stays, with the reason", async ({ page }) => {
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
  await nodeCard(page, "First").locator(".card-title").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Run from here" }).click();
  const rest = page.getByRole("dialog", { name: /^Run/ });
  const typed = '{ "message": "typed with care" }';
  await rest.getByLabel("Value").fill(typed);
  await rest.getByRole("button", { name: "Run from here" }).click();
  await expect(rest.getByRole("alert")).toContainText(/needs a model/);
  await expect(rest.getByLabel("Value")).toHaveValue(typed);
  await look(page, "wide-run-refused");
});
