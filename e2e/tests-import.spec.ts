import { enterWithTemplate, expect, test } from "./fixtures.ts";
import { look } from "./look.ts";

const promptfoo = `description: Sums
prompts: ["{{question}}"]
defaultTest:
  assert: [{ type: contains, value: "{{answer}}" }, { type: latency, threshold: 60000 }]
tests:
  - vars: { question: "What is 2 + 3?", answer: "5" }
  - vars: { question: "What is 6 * 7?", answer: "42" }
    assert: [{ type: python, value: "True" }]
`;

const evaluation = {
  name: "Sums again",
  data_source_config: { type: "custom", item_schema: {} },
  testing_criteria: [
    { type: "string_check", input: "{{sample.output_text}}", reference: "{{item.sum}}", operation: "like" },
  ],
};

test("a promptfoo config and an eval of OpenAI become suites, after a report of what becomes of them", async ({
  page,
}) => {
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await enterWithTemplate(page, "Ask with tools");
  await page.goto("/tests");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a suite" });
  const config = dialog.getByLabel("Config file");
  await config.setInputFiles(file("other.yaml", "a: 1"));
  await expect(dialog.getByRole("alert")).toContainText("other.yaml is neither. It takes a promptfoo config");
  await expect(dialog.getByRole("button", { name: "Create" })).toBeDisabled();

  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Choose a file" }).click();
  await (await chooser).setFiles(file("promptfooconfig.yaml", promptfoo));
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByRole("status")).toContainText("promptfoo, 2 cases");
  const part = (title: string) => dialog.locator("details").filter({ hasText: title });
  await expect(part("Left out").locator("summary")).toHaveText("Left out 2");
  await expect(part("Left out")).toContainText("tests[1].assert[0]");
  await expect(part("Approximated").locator("summary")).toHaveText("Approximated 1");
  await expect(part("Mapped").locator("summary")).toHaveText("Mapped 3");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Sums");
  await look(page, "wide-tests-import", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-import", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Ask with tools" });
  await dialog.getByRole("button", { name: "Create with 2 cases" }).click();
  await expect(page.getByRole("heading", { name: "Sums" })).toBeVisible();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("2 of 2 trials passed.")).toBeVisible({ timeout: 60_000 });

  // An eval, whose rows are in a file of their own.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tests" }).click();
  await expect(page.getByRole("list", { name: "Suites" }).getByRole("listitem")).toHaveCount(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-list", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await config.setInputFiles(file("eval.json", JSON.stringify(evaluation)));
  await expect(dialog.getByRole("button", { name: "Create without cases" })).toBeVisible();
  const rows = dialog.getByLabel("File with rows");
  await rows.setInputFiles(file("rows.jsonl", "{"));
  await expect(dialog.getByRole("alert")).toContainText("Line 1 of rows.jsonl is not valid JSON.");
  await rows.setInputFiles(file("rows.jsonl", '{"item":{"question":"What is 2 + 3?","sum":"5"}}\n'));
  await dialog.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Ask with tools" });
  await dialog.getByRole("button", { name: "Create with 1 case" }).click();
  await expect(page.getByRole("heading", { name: "Sums again" })).toBeVisible();
});
