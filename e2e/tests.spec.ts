import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { unzipSync } from "fflate";
import { readCaseLines } from "../src/evaluation/suite/evaluation-case.ts";
import { ask, enterAsGuest, enterWithTemplate, expect, openTemplate, runEnded, test } from "./fixtures.ts";
import { setAssertions } from "./suite-settings.ts";
import { look } from "./look.ts";

const run = promisify(execFile);

/** Waits for the message, and puts it away, so that the next one is the next one. */
async function settingsSaved(page: Page): Promise<void> {
  const message = page.getByRole("status").filter({ hasText: "The suite is saved" });
  await expect(message).toBeVisible();
  await message.getByRole("button", { name: "Dismiss" }).click();
  await expect(message).toHaveCount(0);
}

test("a run becomes a test case, its suite is run, stopped and gone on with, and a trial opens its run", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No tests yet" })).toBeVisible();
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await openTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12 * 7?");
  await expect(page.getByRole("log")).toContainText("84");
  await runEnded(page);

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Save as test case" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as test case" });
  await expect(dialog.getByRole("textbox", { name: "Name of the case" })).toHaveValue("What is 12 * 7?");
  await dialog.getByRole("textbox", { name: "Name of the new suite" }).fill("Sums");
  await expect(dialog.getByRole("checkbox", { name: "Calls calculator" })).toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: /^The answer has .*84/ })).toBeChecked();
  await look(page, "wide-tests-save");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Open the suite" }).click();

  // So many trials that they are surely under way when they are stopped.
  await expect(page.getByRole("heading", { name: "Sums" })).toBeVisible();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Trials per case" }).fill("0");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByText("A whole number from 1 to 1,000.")).toBeVisible();
  await page.getByRole("textbox", { name: "Trials per case" }).fill("900");
  await page.getByRole("textbox", { name: "Required pass rate" }).fill("50");
  await look(page, "wide-tests-settings");
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: /^[1-9]\d* of up to 900 trials/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText("This evaluation was not finished")).toBeVisible();
  await page.reload();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Trials per case" }).fill("12");
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText("12 of 12 trials passed.")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("so it reaches 50 %")).toBeVisible();

  // The recorded run answers again: as many trials as there are recordings.
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Answered from recordings" }).selectOption("all");
  await page.getByRole("textbox", { name: "Required pass rate" }).fill("");
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("1 of 1 trials passed.")).toBeVisible();
  // Labels are for results that are stored.
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
  await page.getByRole("button", { name: "What is 12 * 7?" }).click();
  const trial = page.getByRole("list", { name: "Trials of What is 12 * 7?" }).getByRole("listitem");
  await trial.focus();
  await page.keyboard.press("y");
  await expect(trial.getByRole("button", { name: "Right" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("n");
  await expect(trial.getByRole("button", { name: "Wrong" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("combobox", { name: "Compare with" }).selectOption({ index: 1 });
  await expect(page.getByText("No difference from the baseline over 1 case")).toBeVisible();
  await expect(trial.getByRole("link", { name: "Compare with the earlier result" })).toHaveAttribute(
    "href",
    /\/runs\/compare\?left=.+&right=.+/,
  );
  await look(page, "wide-tests-results", { both: true });
  await page.reload();
  await page.getByRole("button", { name: "What is 12 * 7?" }).click();
  await expect(trial.getByRole("button", { name: "Wrong" })).toHaveAttribute("aria-pressed", "true");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: "JUnit XML" }).click();
  expect((await download).suggestedFilename()).toBe("sums.xml");

  // Each result names what it measured; the suite goes back to an earlier version, and forth again.
  await expect(page.getByText(/suite version 2 on workflow revision \d+/)).toBeVisible();
  await page.getByRole("tab", { name: "Versions" }).click();
  const versions = page.getByRole("list", { name: "Versions" });
  const row = (version: number) => versions.locator(":scope > li").filter({ hasText: `Version ${version}` });
  await expect(row(2)).toContainText("Current");
  await row(1).getByRole("button", { name: "Changes since" }).click();
  await expect(row(1)).toContainText("replay");
  await look(page, "wide-tests-versions", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-versions", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await row(1).getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("The suite is as in version 1 again")).toBeVisible();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByRole("textbox", { name: "Trials per case" })).toHaveValue("900");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The suite is as in version 2 again")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Trials per case" })).toHaveValue("12");
  await page.getByRole("tab", { name: /^Cases/ }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("button", { name: "What is 12 * 7?" }).click();
  await look(page, "narrow-tests-results", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("link", { name: "Open the run" }).click();
  await expect(page.getByRole("heading", { name: "Ask with tools" })).toBeVisible();
});

test("steps of a run become test cases, which are tried alone, from recordings too, and say when their step is gone @rest", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  const editor = page.url();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12 * 7?");
  await expect(page.getByRole("log")).toContainText("84");
  await runEnded(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();

  const steps = page.getByRole("listbox", { name: "Steps" });
  const save = page.getByRole("button", { name: "Save step as test case" });
  const dialog = page.getByRole("dialog", { name: "Save as test case" });
  // A trigger has no case of its own: that is the run's.
  await steps.getByRole("option").filter({ hasText: "Chat" }).first().click();
  await expect(page.getByRole("button", { name: "Go to Chat" })).toBeVisible();
  await expect(save).toHaveCount(0);
  await steps
    .getByRole("option", { name: /^Agent/ })
    .first()
    .click();
  await save.click();
  await expect(dialog).toContainText("“Agent” alone is tried again with the input that it had");
  await expect(dialog.getByRole("textbox", { name: "Name of the case" })).toHaveValue("Agent: What is 12 * 7?");
  await dialog.getByRole("textbox", { name: "Name of the new suite" }).fill("Steps");
  await look(page, "wide-tests-save-step", { both: true });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await steps
    .getByRole("option")
    .filter({ hasText: /^calculator/ })
    .click();
  await look(page, "wide-tests-step-button");
  await save.click();
  await expect(dialog).toContainText("what it did before is taken from the recording");
  await expect(dialog.getByRole("checkbox", { name: /^Keep the recorded answers/ })).toHaveCount(0);
  await expect(dialog.getByRole("checkbox", { name: "Calls calculator" })).toBeChecked();
  await dialog.getByRole("button", { name: "Save" }).click();
  // What was said of the first case may still stand above.
  const second = page.getByRole("status").filter({ hasText: "Agent, from call 2" });
  await second.getByRole("button", { name: "Open the suite" }).click();

  await page.getByRole("tab", { name: /^Cases/ }).click();
  const cases = page.getByRole("list", { name: "Cases" });
  await expect(cases).toContainText("Agent, from call 2");
  await look(page, "wide-tests-step-cases", { both: true });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export JSONL" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("steps.jsonl");
  const read = readCaseLines(await readFile(await file.path(), "utf8"));
  expect(read).toMatchObject({ ok: true, cases: [{ start: { title: "Agent" } }, { start: { call: 2 } }] });
  await page.getByRole("tab", { name: "Results" }).click();
  // Three trials of each; then the recordings answer, once each.
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("6 of 6 trials passed.")).toBeVisible({ timeout: 60_000 });
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Answered from recordings" }).selectOption("all");
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("2 of 2 trials passed.")).toBeVisible();
  const suite = page.url();

  // What the tests did stands apart from what people did.
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const runs = page.getByRole("list", { name: "Stored runs" }).getByRole("link");
  await expect(runs).toHaveCount(1);
  await page.getByRole("combobox", { name: "Runs of tests" }).selectOption("only");
  await expect(runs).toHaveCount(8);
  await expect(runs.first()).toContainText("Ask with tools · test");
  await look(page, "wide-tests-runs", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-runs", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(editor);
  await page.locator(".react-flow__node").filter({ hasText: "Agent" }).first().click();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.goto(suite);
  await page.getByRole("tab", { name: /^Cases/ }).click();
  await expect(cases.getByText("begins at the step “Agent”, which is no longer in the workflow")).toHaveCount(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-step-gone", { both: true });
});

test("a suite's checks, versions and prices are set without JSON", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  const checks = page.getByRole("list", { name: "Checks of every case" }).getByRole("listitem");
  const before = await checks.count();
  await page.getByRole("button", { name: "Add check" }).click();
  await checks.last().getByRole("combobox", { name: "What is checked" }).selectOption("costs at most");
  await checks.last().getByRole("textbox", { name: "US dollars" }).fill("0.5");
  await page.getByRole("button", { name: "Add version" }).click();
  const versions = page.getByRole("list", { name: "Versions to compare" }).getByRole("listitem");
  await expect(versions).toHaveCount(2);
  await versions.nth(1).getByRole("combobox", { name: "Provider" }).selectOption({ label: "OpenAI" });
  await versions.nth(1).getByRole("combobox", { name: "Model" }).fill("of-my-own");
  await versions.nth(1).getByRole("textbox", { name: "Input price" }).fill("1,5");
  await versions.nth(1).getByRole("textbox", { name: "Output price" }).fill("free");
  await expect(versions.nth(1).getByRole("alert")).toHaveText("Enter a number from 0.");
  await versions.nth(1).getByRole("textbox", { name: "Output price" }).fill("3");
  await page.getByRole("combobox", { name: "Judge", exact: true }).selectOption({ label: "OpenAI" });
  await page.getByRole("combobox", { name: "Judge: model" }).fill("judge-of-my-own");
  const judge = page.getByRole("group", { name: /The price of judge-of-my-own is not known/ });
  await judge.getByRole("textbox", { name: "Input price" }).fill("0");
  await judge.getByRole("textbox", { name: "Output price" }).fill("0");
  await look(page, "wide-tests-versions", { both: true });
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.reload();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(checks).toHaveCount(before + 1);
  await expect(versions.nth(1).getByRole("combobox", { name: "Model" })).toHaveValue("of-my-own");
  await expect(versions.nth(1).getByRole("textbox", { name: "Input price" })).toHaveValue("1.5");
  await expect(judge.getByRole("textbox", { name: "Output price" })).toHaveValue("0");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-versions");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Remove version 2" }).click();
  await page.getByRole("button", { name: "Remove version 1" }).click();
  await expect(page.getByRole("button", { name: "Add version" })).toBeFocused();
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/^(\d+) of \1 trials passed\./)).toBeVisible({ timeout: 60_000 });
});

test("cases are typed as rows of a table, and pasted from a spreadsheet", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterAsGuest(page);
  await openTemplate(page, "Ask with tools");
  await page.goto("/tests");
  await page.getByRole("button", { name: "New suite" }).first().click();
  const made = page.getByRole("dialog", { name: "New suite" });
  await made.getByRole("textbox", { name: "Name" }).fill("Sums");
  await made.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Ask with tools" });
  await made.getByRole("button", { name: "Create" }).click();
  await page.getByRole("tab", { name: /^Cases/ }).click();
  await page.getByRole("button", { name: "Type or paste cases" }).click();
  const dialog = page.getByRole("dialog", { name: "Add cases" });
  const cell = (column: string, row: number) => dialog.getByRole("textbox", { name: `${column}, row ${row}` });
  await expect(cell("Input", 1)).toBeFocused();
  await page.keyboard.type("What is 1 + 1?");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(cell("Expected", 2)).toBeFocused();
  await page.keyboard.type("4");
  await dialog.getByRole("button", { name: "Add 2 cases" }).click();
  await expect(cell("Input", 2)).toBeFocused();
  await expect(dialog.getByRole("alert")).toHaveText("A case needs an input.");
  const sums = Array.from({ length: 9 }, (_, at) => `What is ${at + 2} + ${at + 2}?\t${2 * at + 4}`);
  await page.evaluate((text) => navigator.clipboard.writeText(text), `Question\tAnswer\n${sums.join("\n")}\n`);
  await page.keyboard.press("ControlOrMeta+v");
  await expect(cell("Expected", 10)).toHaveValue("20");
  await look(page, "wide-tests-table", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-tests-table");
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("button", { name: "Add 10 cases" }).click();
  await expect(dialog).toBeHidden();
  const cases = page.getByRole("list", { name: "Cases" }).getByRole("listitem");
  await expect(cases).toHaveCount(10);
  await expect(cases.filter({ hasText: "What is 10 + 10?" })).toContainText("case-10");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("30 of 30 trials passed.")).toBeVisible({ timeout: 60_000 });
});

test("an example brings a workflow and a suite that passes on the demo model", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await look(page, "wide-tests-empty");
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Approval flow" }).click();
  await expect(page.getByRole("heading", { name: "Approval flow" })).toBeVisible();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("4 of 4 trials passed.")).toBeVisible({ timeout: 60_000 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tests" }).click();
  await expect(page.getByRole("list", { name: "Suites" })).toContainText(/Approval flow.*2 cases.*Passed/);
});

test("a suite is exported with its recordings, and the command passes on the files @rest", async ({ page }, info) => {
  await enterAsGuest(page);
  await page.goto("/tests");
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.getByRole("button", { name: "Export for CI" }).click();
  const dialog = page.getByRole("dialog", { name: "Export for CI" });
  await expect(dialog).toContainText("0 of 5 cases are recorded.");
  await look(page, "wide-export-suite", { both: true });
  await dialog.getByRole("button", { name: "Try the recordings" }).click();
  await expect(dialog).toContainText("5 of 5 cases pass from their recordings.", { timeout: 60_000 });
  await look(page, "wide-export-suite-tried", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-export-suite-tried", { both: true });
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download 5 cases" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("ask-with-tools-ci.zip");
  const archive = info.outputPath("suite.zip");
  await download.saveAs(archive);
  const folder = info.outputPath("suite");
  for (const [path, bytes] of Object.entries(unzipSync(new Uint8Array(await readFile(archive))))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const suite = join(folder, "ask-with-tools.suite.json");
  const { stdout } = await run(process.execPath, ["cli/evaluate.mjs", suite, "--replay", "all"]);
  expect(stdout).toMatch(/5 of 5 trials, replay all[^]*Passed\./);
});

test("tests come before publishing: they run first, warn or block, and lead to their results @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.waitForURL(/\/tests\/.+/);
  const suiteAddress = page.url();
  const openPublish = async () => {
    await page.getByRole("link", { name: "Workflows", exact: true }).click();
    await page.getByRole("link", { name: /^Ask with tools/ }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
  };
  const setPublishing = async (mode: string, assertions?: string) => {
    await page.goto(suiteAddress);
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("combobox", { name: "Before the workflow is published" }).selectOption(mode);
    if (assertions) await setAssertions(page, assertions);
    await look(page, "wide-tests-publishing");
    await page.getByRole("button", { name: "Save settings" }).click();
    await settingsSaved(page);
  };
  const dialog = page.getByRole("dialog", { name: "Publish" });
  const tests = dialog.getByRole("region", { name: "Tests" });

  // A failure that blocks.
  await setPublishing("block", '[{ "type": "contains", "value": "a unicorn" }]');
  await openPublish();
  await expect(tests).toContainText("Not run on this version yet; it has to pass.");
  await expect(dialog.getByRole("button", { name: "Publish without tests" })).toHaveCount(0);
  await look(page, "wide-publish-tests");
  await dialog.getByRole("button", { name: "Test and publish" }).click();
  await expect(tests.getByText("Failed", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toBeDisabled();
  await look(page, "wide-publish-blocked", { both: true });
  await tests.getByRole("link", { name: "Ask with tools" }).click();
  await expect(page.getByText(/0 of \d+ trials passed/)).toBeVisible();

  // The same failure warns; then it passes, and the version goes live by itself.
  await setPublishing("warn");
  await openPublish();
  await expect(tests.getByText("Failed", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Publish anyway" })).toBeEnabled();
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-publish-tests", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await setPublishing("warn", "[]");
  await openPublish();
  await expect(dialog.getByRole("button", { name: "Publish without tests" })).toBeEnabled();
  await dialog.getByRole("button", { name: "Test and publish" }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "Version 1 is live" })).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole("button", { name: "Done" }).click();
  await openPublish();
  await expect(tests.getByText("Passed", { exact: true })).toBeVisible();

  // Versions of the workflow, published or kept, remember their tests; a restore brings both back.
  await dialog.getByRole("button", { name: "All versions" }).click();
  await expect(dialog).toContainText(/Tests: Ask with tools, version \d+, as now/);
  await look(page, "wide-publish-remembers-tests", { both: true });
  await dialog.getByRole("button", { name: "Close" }).click();
  const openHistory = async () => {
    await page.getByRole("button", { name: "Workflow actions" }).click();
    await page.getByRole("menuitem", { name: "Version history" }).click();
  };
  const history = page.getByRole("dialog", { name: "Version history" });
  await openHistory();
  await history.getByRole("textbox", { name: "Name for the current state" }).fill("Tested");
  await history.getByRole("button", { name: "Keep" }).click();
  await expect(history).toContainText(/Tests: Ask with tools, version \d+, as now/);
  await expect(history.getByRole("checkbox")).toHaveCount(0);
  const editor = page.url();
  await setPublishing("off");
  await page.goto(editor);
  await openHistory();
  await history.getByRole("button", { name: /^Tested/ }).click();
  await expect(history).toContainText(/version \d+, changed since/);
  await history.getByRole("checkbox", { name: "Restore its tests as they were, too" }).check();
  await look(page, "wide-restore-tests", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "narrow-restore-tests", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await history.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(page.getByText("Its tests, too.")).toBeVisible();
  await page.goto(suiteAddress);
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByRole("combobox", { name: "Before the workflow is published" })).toHaveValue("warn");
});

test("a case goes on with further messages, and another is played by a simulated user @rest", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Tests", exact: true }).click();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.waitForURL(/\/tests\/.+/);
  await page.getByRole("tab", { name: /^Cases/ }).click();
  await page.getByRole("button", { name: "Add case" }).click();
  const dialog = page.getByRole("dialog", { name: "Add case" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Keeps names");
  await dialog.getByRole("textbox", { name: "Input" }).fill("My name is Ada");
  await dialog.getByRole("textbox", { name: "Further messages" }).fill("What is 2 + 3?\nWhat is my name?");
  await dialog.getByRole("textbox", { name: "Or the goal of a simulated user" }).fill("To be greeted.");
  await dialog.getByRole("button", { name: "Add check" }).click();
  const checks = dialog.getByRole("list", { name: "Checks" }).getByRole("listitem");
  await checks.getByRole("textbox", { name: "Text that the answer contains" }).fill("Ada");
  await dialog.getByRole("button", { name: "Add check" }).click();
  await checks.nth(1).getByRole("combobox", { name: "What is checked" }).selectOption("costs at most");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toContainText("not both");
  await expect(checks.nth(1)).toContainText("Write an amount in US dollars");
  await checks.nth(1).getByRole("combobox", { name: "What is checked" }).selectOption("uses tool");
  await checks.nth(1).getByRole("combobox", { name: "Name of the tool" }).fill("calculator");
  await dialog.getByRole("textbox", { name: "Expected" }).fill("ada");
  // The suite's own assertions name what is expected.
  const comparison = dialog.getByRole("combobox", { name: "Comparison" });
  await expect(comparison).toHaveValue("assertions");
  await comparison.selectOption("contains");
  await checks.nth(1).scrollIntoViewIfNeeded();
  await look(page, "wide-tests-case", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await checks.nth(1).scrollIntoViewIfNeeded();
  await look(page, "narrow-tests-case", { both: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("textbox", { name: "Or the goal of a simulated user" }).fill("");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Judge", exact: true }).selectOption({ label: "OpenAI" });
  await expect(page.getByRole("combobox", { name: "Judge: model" })).toBeVisible();
  // Meanings are compared by the demo's embeddings, without a key.
  await page.getByRole("combobox", { name: "Embeddings", exact: true }).selectOption({ label: "Demo model" });
  await expect(page.getByRole("combobox", { name: "Embeddings: model" })).toHaveValue("words-256");
  await setAssertions(page, '[{ "type": "similar", "value": "something else", "threshold": 0, "metric": "meaning" }]');
  await look(page, "wide-tests-judge", { both: true });
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/^(\d+) of \1 trials passed\./)).toBeVisible({ timeout: 60_000 });
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("button", { name: "Keeps names" }).click();
  await expect(page.getByRole("list", { name: "Trials of Keeps names" })).toContainText("Ada");
});

test("a model writes cases from a collection, and a call that is not recorded is asked about @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  await openTemplate(page, "Support bot with knowledge");
  await page.goto("/tests");
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("menuitem", { name: "Ask with tools" }).click();
  await page.waitForURL(/\/tests\/.+/);
  await page.getByRole("tab", { name: /^Cases/ }).click();
  const before = await page.getByRole("list", { name: "Cases" }).getByRole("listitem").count();
  await page.getByRole("button", { name: "From documents" }).click();
  const dialog = page.getByRole("dialog", { name: "Cases from documents" });
  await dialog.getByRole("combobox", { name: "Collection" }).selectOption({ index: 1 });
  await dialog.getByRole("combobox", { name: "How many" }).selectOption("5");
  await dialog.getByRole("combobox", { name: "Provider" }).selectOption({ label: "Demo model" });
  await dialog.getByRole("button", { name: "Write cases" }).click();
  const written = dialog.getByRole("list", { name: "Written cases" }).getByRole("listitem");
  await expect(dialog.getByRole("button", { name: "Write new ones" })).toBeEnabled();
  await written.first().getByRole("checkbox").uncheck();
  await look(page, "wide-tests-generate", { both: true });
  const wanted = (await written.count()) - 1;
  await dialog.getByRole("button", { name: new RegExp(`^Add ${wanted} case`) }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("list", { name: "Cases" }).getByRole("listitem")).toHaveCount(before + wanted);

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Answered from recordings" }).selectOption("tools");
  await page.getByRole("combobox", { name: "Calls that were not recorded" }).selectOption("ask");
  await page.getByRole("button", { name: "Save settings" }).click();
  await settingsSaved(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const asked = page.getByRole("region", { name: "Calls waiting for you" });
  await expect(asked.getByRole("listitem").first()).toContainText("calculator");
  await look(page, "wide-tests-asked", { both: true });
  const open = asked.getByRole("button", { name: "Make the call" });
  await open.first().click();
  await expect(page.getByRole("status").filter({ hasText: /^[1-9]\d* of up to/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText("This evaluation was not finished")).toBeVisible();
});
