import { embedWords } from "../src/providers/demo/embeddings.ts";
import { startVectorDatabase, type VectorDatabase } from "../supabase/functions/sql-tool/testing/vector-database.ts";
import { choose, enterAsGuest, expect, test } from "./fixtures.ts";
import { look } from "./look.ts";

const rows = [
  ["Refunds", "The refund shows on your account within five working days.", "sales"],
  ["Vacation", "Everybody has thirty days of vacation.", "people"],
] as const;

let database: VectorDatabase;

test.beforeAll(async () => {
  const vectors = embedWords(rows.map(([, body]) => body));
  const values = rows.map(
    ([title, body, team], index) =>
      `('${title}', '${body}', '${team}', 'https://example.com/${title}', '${JSON.stringify(vectors[index])}')`,
  );
  database = await startVectorDatabase(`
    create extension vector;
    create table articles (
      id integer primary key generated always as identity, title text, body text, team text, link text,
      embedding vector(256)
    );
    insert into articles (title, body, team, link, embedding) values ${values.join(", ")};
  `);
});
test.afterAll(() => database.stop());

test("a table of one's own Postgres is searched as a collection and never changed", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Articles");
  await choose(dialog.getByRole("combobox", { name: "Passages" }), "Postgres table");
  await dialog.getByRole("button", { name: "New", exact: true }).click();
  const credential = page.getByRole("dialog", { name: "New credential" });
  await credential.getByLabel("Connection string").fill(database.url);
  await credential.getByRole("switch", { name: "Encrypted connection (TLS)" }).click();
  await credential.getByRole("button", { name: "Save credential" }).click();
  await expect(credential).toBeHidden();

  await dialog.getByRole("textbox", { name: "Table" }).fill("article");
  await dialog.getByRole("textbox", { name: "Text column" }).fill("body");
  await dialog.getByRole("textbox", { name: "Title column" }).fill("title");
  await dialog.getByRole("textbox", { name: "Address column" }).fill("link");
  await dialog.getByRole("textbox", { name: "Vector column" }).fill("embedding");
  await choose(dialog.getByRole("combobox", { name: "Vectors made by" }), "Demo");
  await dialog.getByRole("textbox", { name: "Metadata columns" }).fill("team");
  await look(page, "knowledge-table-new");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await expect(dialog.getByText("There is no such table.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Table" }).fill("articles");
  await dialog.getByRole("button", { name: "Create collection" }).click();

  await expect(page.getByRole("heading", { name: "Articles", exact: true, level: 1 })).toBeVisible();
  await expect(page.getByText("Postgres table articles")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Search", "Settings"]);
  await expect(page.getByRole("button", { name: "Export" })).toBeHidden();
  await page.getByRole("textbox", { name: "Question" }).fill("When is the refund on my account?");
  await page.getByRole("textbox", { name: "Question" }).press("Enter");
  const passages = page.getByRole("list", { name: "Passages", exact: true });
  await expect(passages.getByRole("button", { name: /Refunds/ })).toContainText("team sales");
  await look(page, "knowledge-table-search");
  await passages.getByRole("button", { name: /Refunds/ }).click();
  const row = page.getByRole("dialog", { name: "Refunds" });
  await expect(row).toContainText("within five working days");
  await expect(row.getByRole("link", { name: "Open the address" })).toHaveAttribute(
    "href",
    "https://example.com/Refunds",
  );
  await look(page, "knowledge-table-row");
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Only rows with" }).fill('team = "people"');
  await page.getByRole("button", { name: "Check and save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await look(page, "knowledge-table-settings");
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("refund on my account");
  await page.getByRole("textbox", { name: "Question" }).press("Enter");
  await expect(page.getByRole("button", { name: /Vacation/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /Refunds/ })).toBeHidden();
});
