import type { Page, Request } from "@playwright/test";
import {
  ask,
  canvasReady,
  enterAsGuest,
  enterWithTemplate,
  expect,
  openTemplate,
  runEnded,
  runsStored,
  saved,
  test,
} from "./fixtures.ts";
import { adds, changes, holdBack, type HeldBack } from "./hold-back.ts";

const workflows = /\/rest\/v1\/studio_workflows\?/;

/** Lets the last write of each run wait. */
const holdBackEnds = (page: Page) =>
  holdBack(page, /rpc\/studio_record_run/, (request) => request.postData()?.includes('"p_end"') === true);

test("the list has a workflow's new name also where that was still being saved when the list was read", async ({
  page,
}) => {
  await enterWithTemplate(page, "Extract JSON");
  await saved(page);
  const saving = await holdBack(page, workflows, changes);
  await page.getByRole("textbox", { name: "Workflow name" }).fill("Read invoices");
  const listed = page.waitForResponse(/rpc\/studio_list_workflows/);
  await page.getByRole("button", { name: "All workflows" }).click();
  await saving.asked;
  await (await listed).finished();
  await expect(page.getByRole("link", { name: "Extract JSON" })).toBeVisible();
  saving.release();
  await expect(page.getByRole("link", { name: "Read invoices" })).toBeVisible();
});

test("a workflow that is opened again while its last edit is being saved has the edit, and nothing else is said or done", async ({
  page,
}) => {
  await enterWithTemplate(page, "Extract JSON");
  await saved(page);
  const saving = await holdBack(page, workflows, changes);
  await page.getByRole("textbox", { name: "Workflow name" }).fill("Read invoices");
  await page.getByRole("button", { name: "All workflows" }).click();
  await saving.asked;
  await page.getByRole("link", { name: "Extract JSON" }).click();
  await expect(page).toHaveURL(/\/w\//);
  saving.release();
  await canvasReady(page);
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("Read invoices");
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
  await saved(page);
});

/** Leaves a run that has ended and is not stored yet for the list of runs. */
async function leaveBeforeStored(page: Page): Promise<HeldBack> {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const storing = await holdBackEnds(page);
  await ask(page, "What is 12 * 7?");
  await storing.asked;
  await runEnded(page);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  return storing;
}

test("a run that was left before it was stored is whole on its page, and has ended in the list, once it is", async ({
  page,
}) => {
  const storing = await leaveBeforeStored(page);
  const runs = page.getByRole("list", { name: "Stored runs" });
  await expect(runs.getByRole("listitem")).toContainText("Running");
  await runs.getByRole("link").click();
  await expect(page.getByRole("button", { name: "Open the workflow" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save as test case" })).toHaveCount(0);
  storing.release();
  await expect(page.getByRole("button", { name: "Save as test case" })).toBeVisible();
});

test("a list of runs says that a run has ended once that is stored", async ({ page }) => {
  const storing = await leaveBeforeStored(page);
  const run = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  await expect(run).toContainText("Running");
  storing.release();
  await expect(run).toContainText("Completed");
});

test("a workflow is duplicated under the name that it was just given", async ({ page }) => {
  await enterWithTemplate(page, "Extract JSON");
  await saved(page);
  await page.goto("/");
  const renaming = await holdBack(page, workflows, changes);
  await page.getByRole("button", { name: "Actions for Extract JSON" }).click();
  await page.getByRole("menuitem", { name: /Rename/ }).click();
  await page.keyboard.type("Invoices");
  await page.keyboard.press("Enter");
  await renaming.asked;
  await page.getByRole("button", { name: "Actions for Invoices" }).click();
  await page.getByRole("menuitem", { name: /Duplicate/ }).click();
  renaming.release();
  await expect(page.getByRole("link", { name: /^Invoices/ })).toHaveCount(2);
});

test("deletions are made one after the other, and what was deleted stays away meanwhile", async ({ page }) => {
  await enterAsGuest(page);
  for (const name of ["Extract JSON", "Ask with tools"]) {
    await openTemplate(page, name);
    await saved(page);
    await page.goto("/");
  }
  const link = (name: string) => page.getByRole("link", { name });
  const remove = async (name: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: /Delete/ }).click();
    await expect(link(name)).toHaveCount(0);
  };
  await expect(link("Extract JSON")).toBeVisible();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (changes(request)) sent.push("deletion");
    if (request.url().includes("rpc/studio_list_workflows")) sent.push("list");
  });
  const removing = await holdBack(page, workflows, changes);
  await remove("Extract JSON");
  await removing.asked;
  await remove("Ask with tools");
  expect(sent).toEqual(["deletion"]);
  removing.release();
  await expect(page.getByText('Moved "Ask with tools" to the trash')).toBeVisible();
  await expect(page.getByRole("heading", { name: "Create your first workflow" })).toBeVisible();
  // The list is not read while the second one is still in it.
  expect(sent.slice(0, 3)).toEqual(["deletion", "deletion", "list"]);
});

test("of two runs that are opened from the history, the one chosen last is shown, whichever is there first", async ({
  page,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  for (const question of ["What is 2 + 3?", "What is 4 + 5?"]) {
    await ask(page, question);
    await runEnded(page);
  }
  await runsStored(page);
  await page.reload();
  await canvasReady(page);
  await page.getByRole("tab", { name: "History" }).click();
  const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  let [first, isFirst] = ["", true];
  const reading = await holdBack(page, /rest\/v1\/(rpc\/)?studio_run_events/, (request) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (wasFirst) first = request.url();
    return wasFirst;
  });
  await rows.nth(0).getByRole("button").first().click();
  await reading.asked;
  await page.getByRole("tab", { name: "History" }).click();
  await rows.nth(1).getByRole("button").first().click();
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await expect(steps).toContainText("2 + 3");
  const late = page.waitForResponse(first);
  reading.release();
  await (await late).finished();
  await page.getByRole("tab", { name: "History" }).click();
  await expect(rows.nth(1).locator("[aria-current=true]")).toHaveCount(1);
  await expect(rows.nth(0).locator("[aria-current=true]")).toHaveCount(0);
});

test("notes of a conversation are deleted one after the other, so that none comes back", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "My name is Ada.");
  await runEnded(page);
  await page.getByRole("tab", { name: "Memory" }).click();
  const panel = page.getByRole("tabpanel", { name: "Memory" });
  await panel.getByRole("list", { name: "Conversations: Database" }).getByRole("button").click();
  for (const key of ["first", "second"]) {
    await panel.getByRole("button", { name: "Add a note" }).click();
    await panel.getByRole("textbox", { name: "Key of the new note" }).fill(key);
    await panel.getByRole("textbox", { name: `Note ${key}` }).fill("Grace");
    await panel.getByRole("button", { name: "Save" }).click();
    await expect(panel.getByRole("button", { name: `Edit the note ${key}` })).toBeVisible();
  }
  const [first, second] = ["first", "second"].map((key) =>
    panel.getByRole("button", { name: `Delete the note ${key}` }),
  );
  if (first === undefined || second === undefined) throw new Error("There are two notes.");
  const deleting = await holdBack(page, /rest\/v1\//, (request) => request.method() !== "GET");
  await first.click();
  await deleting.asked;
  await expect(second).toBeDisabled();
  deleting.release();
  await expect(first).toHaveCount(0);
  await second.click();
  await expect(second).toHaveCount(0);
  await expect(panel.getByText("An agent with a scratchpad keeps its notes here.")).toBeVisible();
});

test("the list of runs is read once by whoever opens it, also where the queue answers first", async ({ page }) => {
  await enterAsGuest(page);
  const address = /\/rpc\/studio_find_runs/;
  // Runs that were interrupted are looked for besides, by their status.
  const isList = (request: Request) => address.test(request.url()) && !request.postData()?.includes('"statuses"');
  let read = 0;
  page.on("request", (request) => {
    if (isList(request)) read += 1;
  });
  const listing = await holdBack(page, address, isList);
  const queued = page.waitForResponse(/\/rpc\/studio_queue_state/);
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await listing.asked;
  await (await queued).finished();
  listing.release();
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
  expect(read).toBe(1);
});

test("documents that one tab is adding are left to it by another tab, so that each is stored once", async ({
  page,
  context,
}) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Handbook");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByRole("heading", { name: "Handbook", level: 1 })).toBeVisible();
  const chunks = /rpc\/studio_store_knowledge_chunks/;
  const storing = await holdBack(page, chunks, adds);
  await page.getByLabel("Files to add").setInputFiles(
    ["one", "two", "three"].map((name) => ({
      name: `${name}.txt`,
      mimeType: "text/plain",
      buffer: Buffer.from(`Chapter ${name}.`),
    })),
  );
  await storing.asked;
  const documents = page.getByRole("list", { name: "Documents", exact: true });
  await expect(documents.getByRole("listitem")).toHaveCount(2);

  const other = await context.newPage();
  let [others, listed] = [0, () => {}];
  const interrupted = new Promise<void>((resolve) => (listed = resolve));
  other.on("request", (request) => {
    if (chunks.test(request.url())) others += 1;
  });
  other.on("response", (response) => {
    if (response.url().includes("status=eq.pending")) listed();
  });
  await other.goto(page.url());
  await interrupted;
  await expect(other.getByRole("list", { name: "Documents", exact: true }).getByRole("listitem")).toHaveCount(2);
  await expect(other.getByRole("list", { name: "Documents being added" })).toHaveCount(0);
  storing.release();
  const added = page.getByRole("list", { name: "Documents being added" }).getByRole("listitem");
  await expect(added).toHaveText([/one\.txt.*Added/, /two\.txt.*Added/, /three\.txt.*Added/]);
  expect(others).toBe(0);
  await page.reload();
  await expect(page.getByText("3 chunks", { exact: true })).toBeVisible();
});
