import {
  ask,
  atRest,
  enterAsGuest,
  expect,
  nodeCard,
  openTemplate,
  runEnded,
  runsStored,
  saved,
  showRun,
  test,
} from "./fixtures.ts";
import { look } from "./look.ts";

// Each page is drawn and examined twice, in both themes.
test.setTimeout(900_000);

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

/** The dark theme's colours are the same at every width. */
const both = (size: string) => ({ both: size === "wide" });

for (const [size, viewport] of Object.entries(sizes)) {
  test(`every page in both themes, ${size}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();
    await look(page, `${size}-sign-in`, both(size));
    await enterAsGuest(page);
    await look(page, `${size}-library-empty`, both(size));
    await page.getByRole("button", { name: "New workflow" }).click();
    const gallery = page.getByRole("dialog", { name: "New workflow" });
    await expect(gallery.getByRole("button", { name: /^Ask with tools/ })).toBeVisible();
    await look(page, `${size}-gallery`, both(size));
    await gallery.getByRole("button", { name: "Close" }).click();
    await openTemplate(page, "Ask with tools");
    await saved(page);
    await look(page, `${size}-editor`, both(size));
    for (const [action, title, name] of [
      ["Version history", "Version history", "versions"],
      ["Settings and variables", "Workflow settings", "workflow-settings"],
      ["Import JSON", "Import a workflow", "import"],
    ] as const) {
      await page.getByRole("button", { name: "Workflow actions" }).click();
      await page.getByRole("menuitem", { name: action }).click();
      const dialog = page.getByRole("dialog", { name: title });
      await expect(dialog).toBeVisible();
      await look(page, `${size}-${name}`);
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toBeHidden();
    }
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await ask(page, "What is 12.5% of 480?");
    await expect(page.getByRole("log")).toContainText("60");
    await look(page, `${size}-chat`, both(size));
    await showRun(page, "Steps");
    await look(page, `${size}-steps`, both(size));
    await page.getByRole("tab", { name: "History" }).click();
    await look(page, `${size}-history`, both(size));
    await page.getByRole("tab", { name: "Chat" }).click();
    const chat = page.getByRole("region", { name: "Chat" });
    await chat.getByRole("button", { name: "What is 12.5% of 480?", exact: true }).click();
    await expect(page.getByRole("dialog", { name: "Conversations" }).getByRole("listitem")).toHaveCount(1);
    await look(page, `${size}-conversations`, both(size));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit and ask again" }).first().click();
    await look(page, `${size}-question-edited`, both(size));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Run options/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Before tool calls" }).click();
    await ask(page, "What is 6 * 7?");
    await expect(page.getByRole("region", { name: "Paused" })).toBeVisible();
    await look(page, `${size}-paused`, both(size));
    await page.keyboard.press("F8");
    await expect(page.getByRole("log")).toContainText("42");
    await runEnded(page);
    if (size === "wide") {
      await nodeCard(page, "Agent").locator(".card-title").click();
      await expect(page.getByRole("textbox", { name: /system prompt/i })).toBeVisible();
      await look(page, `${size}-inspector`, both(size));
      await page.getByRole("tab", { name: "Output" }).click();
      await page.getByRole("button", { name: "Pin this output" }).click();
      await look(page, `${size}-pinned`, both(size));
      await page.keyboard.press("Control+Shift+Enter");
      await expect(page.getByRole("dialog", { name: /alone/ })).toBeVisible();
      await look(page, `${size}-run-node`, both(size));
      await page.keyboard.press("Escape");
    }
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
    await look(page, `${size}-library`, both(size));
    await page.goto("/knowledge");
    await expect(page.getByRole("heading", { name: "Knowledge", exact: true })).toBeVisible();
    await look(page, `${size}-knowledge`, both(size));
    await page.goto("/credentials");
    await expect(page.getByRole("heading", { name: "Credentials", exact: true })).toBeVisible();
    await look(page, `${size}-credentials`, both(size));
    await page.goto("/settings");
    await expect(page.getByRole("heading", { name: "Settings", exact: true })).toBeVisible();
    await look(page, `${size}-settings`, both(size));
  });
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`runs, replay, costs and privacy in both themes, ${size}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await enterAsGuest(page);
    await page.goto("/runs");
    await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
    await look(page, `${size}-runs-empty`, both(size));
    await page.getByRole("button", { name: "Go to your workflows" }).click();
    await openTemplate(page, "Ask with tools");
    await page.getByRole("button", { name: "Workflow actions" }).click();
    await page.getByRole("menuitem", { name: "Privacy" }).click();
    const privacy = page.getByRole("dialog", { name: "Privacy" });
    await privacy.getByRole("switch", { name: "E-mail addresses" }).click();
    await privacy.getByRole("button", { name: "Add a pattern" }).click();
    await privacy.getByRole("textbox", { name: "Pattern 1" }).fill("(open");
    await expect(privacy.getByRole("alert")).toBeVisible();
    await look(page, `${size}-privacy`, both(size));
    await privacy.getByRole("textbox", { name: "Pattern 1" }).fill("paid");
    await privacy.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await ask(page, "What is 12.5% of 480?");
    await expect(page.getByRole("log")).toContainText("60");
    await runEnded(page);
    await runsStored(page);
    await page.goto("/runs");
    const runs = page.getByRole("list", { name: "Stored runs" });
    await expect(runs.getByRole("listitem")).toHaveCount(1);
    await page.getByRole("checkbox", { name: "Choose all shown runs" }).check();
    await look(page, `${size}-runs`, both(size));
    await page.getByRole("tab", { name: "Costs" }).click();
    await expect(page.getByRole("table", { name: "By workflow" })).toBeVisible();
    await page.getByRole("combobox", { name: "Measure" }).selectOption("tokens");
    await look(page, `${size}-costs`, both(size));
    await page.getByRole("tab", { name: "History" }).click();
    await runs.getByRole("link").first().click();
    await expect(page.getByRole("slider", { name: "Position in the run" })).toBeVisible();
    if (size === "wide") await atRest(page);
    await look(page, `${size}-replay`, both(size));
    await page
      .getByRole("listbox", { name: "Steps" })
      .getByRole("option")
      .filter({ hasText: /^calculator/ })
      .click();
    await page.getByRole("button", { name: "Fork from here" }).click();
    const fork = page.getByRole("dialog", { name: "Fork from here" });
    await look(page, `${size}-fork`, both(size));
    await fork.getByRole("combobox", { name: "What is different" }).selectOption({ label: "Give another result" });
    await fork.getByRole("textbox", { name: "Result" }).fill("61");
    await fork.getByRole("button", { name: "Continue from here" }).click();
    const bar = page.getByRole("region", { name: "Fork" });
    await expect(bar).toContainText("Completed");
    await look(page, `${size}-forked`, both(size));
    await bar.getByRole("button", { name: "Compare" }).click();
    await expect(page.getByRole("list", { name: "Steps side by side" })).toContainText("other result");
    await page.getByRole("list", { name: "Steps side by side" }).locator("summary").nth(1).click();
    await look(page, `${size}-compare`, both(size));
  });
}
