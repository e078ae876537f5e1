import type { Locator, Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import {
  ask,
  enterAsGuest,
  enterWithTemplate,
  expect,
  importWorkflow,
  makeCredential,
  openTemplate,
  pasteText,
  runEnded,
  runsStored,
  saved,
  test,
} from "./fixtures.ts";
import { adds, holdBack } from "./hold-back.ts";
import { publishOpened } from "./published-runs.ts";

const credentials = /functions\/v1\/credentials/;

async function makeToken(page: Page, name: string): Promise<void> {
  await makeCredential(page, /bearer/i, [
    [/^Name/, name],
    [/Token/, "test-key-of-closed-dialogs"],
    [/Allowed hosts/, "example.com"],
  ]);
}

test("a form for a credential stays open when one that was closed before has been saved", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  const saving = await holdBack(page, credentials, () => true);
  await makeToken(page, "First");
  await saving.asked;
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "New credential", exact: true }).click();
  await dialog.getByLabel(/^Name/).fill("Second");
  saving.release();
  await expect(page.getByText("First", { exact: true })).toBeAttached();
  await expect(dialog.getByLabel(/^Name/)).toHaveValue("Second");
});

test("the question whether to delete a credential stays when the one before it is gone", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  for (const name of ["First", "Second"]) {
    await makeToken(page, name);
    await expect(heading(name)).toBeVisible();
  }
  const askToDelete = async (name: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  const deleting = await holdBack(page, /studio_credentials/, (request) => request.method() === "DELETE");
  await askToDelete("First");
  await page.getByRole("button", { name: "Delete credential" }).click();
  await deleting.asked;
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await askToDelete("Second");
  const second = page.getByRole("dialog", { name: "Delete Second?" });
  await expect(second.getByRole("button", { name: "Delete credential" })).toBeEnabled();
  deleting.release();
  await expect(page.getByText('Deleted the credential "First"')).toBeAttached();
  await expect(second).toBeVisible();
  await second.getByRole("button", { name: "Delete credential" }).click();
  await expect(page.getByRole("heading", { name: "No credentials yet" })).toBeVisible();
});

test("the question whether to delete a workflow for good stays when the one before it is gone", async ({ page }) => {
  await enterAsGuest(page);
  for (const name of ["Extract JSON", "Ask with tools"]) {
    await openTemplate(page, name);
    await saved(page);
    await page.goto("/");
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: /Delete/ }).click();
    await expect(page.getByText(`Moved "${name}" to the trash`)).toBeVisible();
  }
  await page.getByRole("button", { name: "Trash" }).click();
  const deleting = await holdBack(page, /studio_workflows/, (request) => request.method() === "DELETE");
  await page.getByRole("button", { name: "Delete Extract JSON for good" }).click();
  const first = page.getByRole("dialog", { name: "Delete Extract JSON for good?" });
  await first.getByRole("button", { name: "Delete for good" }).click();
  await deleting.asked;
  await first.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Ask with tools for good" }).click();
  const second = page.getByRole("dialog", { name: "Delete Ask with tools for good?" });
  await expect(second).toBeVisible();
  deleting.release();
  await expect(page.getByText("Extract JSON", { exact: true })).toHaveCount(0);
  await expect(second).toBeVisible();
});

test("who has cancelled an import stays in the open workflow, and is told where it is", async ({ page }) => {
  await enterWithTemplate(page, "Extract JSON");
  await saved(page);
  const address = page.url();
  await pasteText(page, JSON.stringify(buildWorkflow({ name: "One more", nodes: { more: ["set-fields"] } })));
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  const importing = await holdBack(page, /rest\/v1\/studio_workflows/, adds);
  await dialog.getByRole("button", { name: "Import as a new one" }).click();
  await importing.asked;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  importing.release();
  await expect(page.getByText("“One more” is imported as a workflow of its own")).toBeVisible();
  expect(page.url()).toBe(address);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Open it" }).click();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("One more");
});

test("a template from elsewhere is not shown once its gallery was closed", async ({ page, api }) => {
  const keep = (name: string, value: object) =>
    fetch(`${api.url}/kept/${name}`, { method: "POST", body: JSON.stringify(value) });
  await keep("closed.json", buildWorkflow({ name: "From far away", nodes: { more: ["set-fields"] } }));
  await keep("closed-list.json", { templates: [{ name: "From a file", file: "closed.json" }] });
  await enterAsGuest(page);
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("button", { name: "Templates from elsewhere" }).click();
  const gallery = page.getByRole("dialog", { name: "Templates from elsewhere" });
  await gallery.getByLabel("Address of a list of templates").fill(`${api.url}/kept/closed-list.json`);
  await gallery.getByRole("button", { name: "Open" }).click();
  const wanted = gallery.getByRole("button", { name: "Look at From a file" });
  await expect(wanted).toBeVisible();
  const reading = await holdBack(page, /functions\/v1\/execute-http/, () => true);
  await wanted.click();
  await reading.asked;
  await page.keyboard.press("Escape");
  await expect(gallery).toBeHidden();
  const read = page.waitForResponse(/functions\/v1\/execute-http/);
  reading.release();
  await (await read).finished();
  // Opened after whatever the answer would have opened.
  await page.getByRole("button", { name: "Trash" }).click();
  await expect(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a key for programs is shown once it is made, also where its form was closed before", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/settings/api-keys");
  const making = await holdBack(page, /rpc\/studio_make_api_key/, () => true);
  await page.getByRole("button", { name: "New API key" }).click();
  const form = page.getByRole("dialog", { name: "New API key", exact: true });
  await form.getByRole("textbox", { name: "Name" }).fill("Shop");
  await form.getByRole("button", { name: "Create key" }).click();
  await making.asked;
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toBeHidden();
  making.release();
  const made = page.getByRole("dialog", { name: "Your new API key" });
  await expect(made.getByLabel("API key", { exact: true })).toContainText("sy_");
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
  await expect(page.getByRole("button", { name: "Revoke Shop" })).toBeVisible();
});

/** Makes and publishes a workflow that a webhook starts, and opens its publishing at a tab. */
async function openPublishedHook(page: Page, name: string, tab: string): Promise<Locator> {
  await enterAsGuest(page);
  await importWorkflow(page, buildWorkflow({ name, nodes: { hook: ["webhook-trigger"] } }));
  await saved(page);
  await publishOpened(page);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("tab", { name: tab }).click();
  return dialog;
}

test("a token for a webhook is shown once it is made, also where its page was left before", async ({ page }) => {
  const dialog = await openPublishedHook(page, "Taken orders", "Webhook");
  await dialog.getByLabel("Callers prove who they are by").selectOption({ label: "Bearer token" });
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  const making = await holdBack(page, /rpc\/studio_renew_hook_secret/, () => true);
  await dialog.getByRole("button", { name: "Make a token" }).click();
  await making.asked;
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  making.release();
  const made = page.getByRole("dialog", { name: "Your new token" });
  await expect(made.getByLabel("Token", { exact: true })).toHaveText(/^[\w-]{40,}$/);
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
});

test("the secret that signs messages about failures is shown, also where its dialog was closed before", async ({
  page,
}) => {
  const dialog = await openPublishedHook(page, "Told orders", "Failures");
  await dialog.getByLabel("Call a webhook").fill("https://ops.example.com/failures");
  const saving = await holdBack(page, /rpc\/studio_set_publication/, () => true);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await saving.asked;
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  saving.release();
  const made = page.getByRole("dialog", { name: "Your new signing secret" });
  await expect(made.getByLabel("Signing secret", { exact: true })).toHaveText(/^whsec_/);
  await made.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeFocused();
});

test("the keyboard goes on where a key was asked for, once the key and the form before it are closed", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.goto("/settings/api-keys");
  const open = page.getByRole("button", { name: "New API key" });
  await open.click();
  const form = page.getByRole("dialog", { name: "New API key", exact: true });
  await form.getByRole("textbox", { name: "Name" }).fill("Shop");
  await form.getByRole("button", { name: "Create key" }).press("Enter");
  const made = page.getByRole("dialog", { name: "Your new API key" });
  await expect(form).toBeHidden();
  await made.getByRole("button", { name: "Done" }).press("Enter");
  await expect(open).toBeFocused();
});

test("a form for a test case stays open when the one that was closed before has been saved", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 12 * 7?");
  await runEnded(page);
  await runsStored(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();
  const open = page.getByRole("button", { name: "Save as test case" });
  await open.click();
  const dialog = page.getByRole("dialog", { name: "Save as test case" });
  await dialog.getByRole("textbox", { name: "Name of the new suite" }).fill("Sums");
  const saving = await holdBack(page, /rest\/v1\/studio_suites/, adds);
  await dialog.getByRole("button", { name: "Save" }).click();
  await saving.asked;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await open.click();
  await dialog.getByRole("textbox", { name: "Name of the case" }).fill("Another one");
  saving.release();
  await expect(page.getByText("“What is 12 * 7?” is a test case now")).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Name of the case" })).toHaveValue("Another one");
});

test("who closes “Run on server” before the run has started stays in the workflow", async ({ page }) => {
  await openPublishedHook(page, "Started orders", "Webhook");
  await page.getByRole("button", { name: "Close" }).click();
  const address = page.url();
  await page.getByRole("button", { name: "Run options" }).click();
  await page.getByRole("menuitem", { name: "Run on server…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run on server" });
  const starting = await holdBack(page, /rpc\/studio_start_run/, adds);
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await starting.asked;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  starting.release();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByRole("list", { name: "Stored runs" }).getByRole("listitem")).toHaveCount(1);
  expect(visited).toEqual(["/runs"]);
  await page.goBack();
  expect(page.url()).toBe(address);
});

test("the access of a credential stays open when it is opened again before it has been saved", async ({ page }) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  await makeCredential(page, /^Postgres/, [
    [/^Name/, "Shop"],
    [/Connection string/, "postgresql://reader:test-key-of-closed-dialogs@db.example.com:5432/shop"],
  ]);
  await expect(page.getByRole("heading", { name: "Shop", exact: true })).toBeVisible();
  const access = page.getByRole("dialog", { name: "Access of Shop" });
  const open = async () => {
    await page.getByRole("button", { name: "Actions for Shop" }).click();
    await page.getByRole("menuitem", { name: "Access" }).click();
  };
  await open();
  const saving = await holdBack(page, credentials, () => true);
  await access.getByRole("button", { name: "Save" }).click();
  await saving.asked;
  await access.getByRole("button", { name: "Cancel" }).click();
  await open();
  const listed = page.waitForResponse(/rest\/v1\/studio_credentials/);
  saving.release();
  await (await listed).finished();
  await access.getByRole("switch").first().click();
  await access.getByRole("button", { name: "Save" }).click();
  await expect(access).toBeHidden();
  await expect(page.getByText("schema hints")).toBeVisible();
});

test("who has closed the form for a collection, or has left one that is deleted, is not called back", async ({
  page,
}) => {
  await enterAsGuest(page);
  await page.goto("/knowledge");
  const collections = /rest\/v1\/(rpc\/)?studio_[a-z_]*knowledge/;
  const making = await holdBack(page, collections, adds);
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Handbook");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await making.asked;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  making.release();
  const link = page.getByRole("link", { name: "Handbook" });
  await expect(link).toBeVisible();
  await expect(page).toHaveURL(/\/knowledge$/);

  await link.click();
  await page.getByRole("button", { name: "Actions for Handbook" }).click();
  const deleting = await holdBack(page, collections, (request) => request.method() !== "GET");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await deleting.asked;
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  deleting.release();
  await expect(page.getByText('Deleted "Handbook"')).toBeVisible();
  await expect(page).toHaveURL(/\/runs$/);
});
