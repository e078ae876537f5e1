import type { Page } from "@playwright/test";
import { enterWithTemplate, expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";

const password = "a-long-test-password";
const question = (page: Page) => page.getByRole("dialog", { name: /^Delete your/ });
const saysDeleted = (page: Page) => page.getByText("Your account was deleted.");

/** The names under which this browser still keeps something, but for its looks. */
const keptKeys = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => !/^switchyard:(theme|panel|signed-out)$/.test(key))
      .toSorted(),
  );

/** What waits in IndexedDB for accounts, by their ids; `added` is put there before. */
const waiting = (page: Page, added: string[] = []) =>
  page.evaluate(async (owners) => {
    const ask = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error));
      });
    const found: string[] = [];
    for (const [name, store] of [
      ["switchyard-turns", "turns"],
      ["switchyard-knowledge", "pending"],
    ] as const) {
      const opening = indexedDB.open(name, 1);
      opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(store, { keyPath: "id" }));
      const database = await ask(opening);
      const table = database.transaction(store, "readwrite").objectStore(store);
      for (const owner of owners) await ask(table.put({ id: owner, owner }));
      found.push(...(await ask(table.getAllKeys())).map(String));
      database.close();
    }
    return found;
  }, added);

test("S42 a guest deletes the account, and every tab ends at the sign-in page with nothing kept", async ({
  page,
  context,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  const id = await page.evaluate(
    () => (JSON.parse(localStorage.getItem("switchyard:session") ?? "{}") as { user: { id: string } }).user.id,
  );
  expect(await waiting(page, [id, "grace"])).toEqual([id, "grace", id, "grace"]);
  await page.evaluate((owner) => {
    const removals = [owner, "grace"].map((each) => ({ id: each, owner: each, runIds: [] }));
    localStorage.setItem("switchyard:removed-runs", JSON.stringify(removals));
  }, id);
  const other = await context.newPage();
  await other.goto("/settings");
  const open = other.getByRole("button", { name: "Delete guest account" });
  await open.click();
  const dialog = question(other);
  await expect(dialog).toContainText("This cannot be undone.");
  await look(other, "wide-delete-guest", { both: true });
  // Escape leaves everything as it is, and the keyboard where it was.
  await other.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();

  await open.press("Enter");
  await dialog.getByRole("button", { name: "Delete guest account" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Type the word delete.");
  const field = dialog.getByLabel("Type “delete” to confirm");
  await expect(field).toBeFocused();
  await field.fill("delete");
  await other.keyboard.press("Enter");
  for (const tab of [other, page]) {
    await expect(saysDeleted(tab)).toBeVisible();
    await expect(tab.getByRole("button", { name: "Continue as guest" })).toBeVisible();
    await expect(tab).toHaveURL(/\/sign-in$/);
    await expect(tab.getByRole("dialog")).toBeHidden();
  }
  // What waits for somebody else goes on waiting.
  await expect.poll(() => keptKeys(page)).toEqual(["switchyard:removed-runs"]);
  expect(await page.evaluate(() => localStorage.getItem("switchyard:removed-runs"))).not.toContain(id);
  await expect.poll(() => waiting(page)).toEqual(["grace", "grace"]);

  await page.getByRole("button", { name: "Continue as guest" }).click();
  await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /Ask with tools/ })).toBeHidden();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();
  await expect(saysDeleted(page)).toBeHidden();
});

test("an account is deleted with its password alone, on a phone too, and its address is free again @rest", async ({
  page,
}) => {
  const email = `leaves-${Date.now()}@example.com`;
  const signUp = async () => {
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("heading", { name: "Workflows", exact: true })).toBeVisible();
  };
  await signUp();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings");
  const open = page.getByRole("button", { name: "Delete account" });
  await open.click();
  const dialog = question(page);
  await expect(dialog).toBeVisible();
  await look(page, "phone-delete-account");
  await dialog.getByRole("button", { name: "Go to export" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Export all work" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Export all work" })).toBeInViewport();

  await open.click();
  await dialog.getByLabel("Your password").fill("not-the-password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("The password is wrong.");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(saysDeleted(page)).toBeVisible();
  await look(page, "phone-deleted");

  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toContainText("do not match");
  await signUp();
});
