import { enterAsGuest, expect, test } from "./fixtures.ts";
import { look } from "./look.ts";

test("a collection follows a sitemap: a page that changes is read again, and one that fails says why @rest", async ({
  page,
  api,
}) => {
  const keep = async (name: string, text: string) =>
    void (await fetch(`${api.url}/kept/${name}`, { method: "POST", body: text }));
  const pageOf = (text: string) => `<!doctype html><title>Returns</title><h1>Returns</h1><p>${text}</p>`;
  const urls = ["/kept/returns.html", "/status/403"].map((path) => `<url><loc>${api.url}${path}</loc></url>`);
  await keep("map.xml", `<urlset>${urls.join("")}</urlset>`);
  await keep("returns.html", pageOf("A lamp can be returned within thirty days."));

  await enterAsGuest(page);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("button", { name: "New collection" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Help pages");
  await page.getByRole("button", { name: "Create collection" }).click();
  await page.getByRole("tab", { name: "Sources" }).click();
  await expect(page.getByText("No sources yet")).toBeVisible();
  await look(page, "knowledge-sources-empty");

  await page.getByRole("button", { name: "Add source" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a source" });
  await dialog.getByRole("combobox", { name: "Source" }).selectOption("site");
  await dialog.getByRole("button", { name: "Add source" }).click();
  await expect(dialog).toContainText("Enter one web address");
  await look(page, "knowledge-source-new");
  await dialog.getByRole("combobox", { name: "Source" }).selectOption("sitemap");
  await dialog.getByRole("textbox", { name: "Address" }).fill(`${api.url}/kept/map.xml`);
  await dialog.getByRole("button", { name: "Add source" }).click();
  await expect(dialog).toBeHidden();

  const source = page.getByRole("list", { name: "Sources" }).getByRole("listitem").first();
  await expect(source).toContainText("1 added, 1 failed", { timeout: 90_000 });
  await expect(source).toContainText("1 document");
  await source.getByText("Pages that failed (1 page)").click();
  await expect(source).toContainText("The host answered with status 403.");
  await look(page, "knowledge-sources", { both: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone-knowledge-sources");
  await page.setViewportSize({ width: 1440, height: 900 });

  await keep("returns.html", pageOf("A lamp can be returned within sixty days."));
  await source.getByRole("button", { name: "Reload now" }).click();
  await expect(source).toContainText("1 changed, 1 failed", { timeout: 90_000 });
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("lamp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText("within sixty days");

  await page.getByRole("tab", { name: "Sources" }).click();
  await source.getByRole("button", { name: /^Delete http/ }).click();
  const question = page.getByRole("dialog", { name: "Delete this source?" });
  await question.getByRole("combobox", { name: "Its 1 document" }).selectOption("delete");
  await look(page, "knowledge-source-delete");
  await question.getByRole("button", { name: "Delete source" }).click();
  await expect(page.getByText("No sources yet")).toBeVisible();
  await page.getByRole("tab", { name: "Documents" }).click();
  await expect(page.getByText("No documents yet")).toBeVisible();
});
