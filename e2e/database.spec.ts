import type { Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { startPostgresServer, type PostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import {
  ask,
  choose,
  enterAsGuest,
  enterWithTemplate,
  expect,
  importWorkflow,
  nodeCard,
  saved,
  showRun,
  test,
} from "./fixtures.ts";
import { look } from "./look.ts";

const password = "test-key-database-0123456789";

const shop = `
  create role shop login password '${password}';
  grant create on schema public to shop;
  set role shop;
  create table orders (id integer primary key, customer text not null, status text not null, total numeric(10, 2));
  insert into orders values (1, 'Mara', 'open', 59.9), (2, 'Ivo', 'open', 240), (3, 'Ann', 'paid', 12.5);
`;

let server: PostgresServer;

test.beforeAll(async () => {
  server = await startPostgresServer({ setup: shop });
});
test.afterAll(() => server.stop());

const inspector = (page: Page) => page.getByRole("region", { name: /^Settings of/ });
const databaseField = (page: Page) => inspector(page).locator('[data-field="credential"]');

/** Stores the shop's database as a credential from the node that is open, with schema hints on. */
async function addDatabase(page: Page): Promise<void> {
  await databaseField(page).getByRole("button", { name: "New" }).click();
  const form = page.getByRole("dialog", { name: "New credential" });
  await form.getByLabel("Connection string").fill(server.urlOf("shop", password));
  await form.getByRole("switch", { name: "Encrypted connection (TLS)" }).click();
  await form.getByRole("switch", { name: "Schema hints" }).click();
  await form.getByRole("textbox", { name: "Allowed tables" }).fill("orders");
  await look(page, "database-credential");
  await form.getByRole("button", { name: "Save credential" }).click();
  await expect(form).toBeHidden();
}

/** Lets the agent set the status of one order, both of its choice. */
function statusWorkflow() {
  const config = {
    toolName: "change_status",
    toolDescription: "Sets the status of an order.",
    tableName: "orders",
    values: { status: '{{ai("status", "the new status", "string")}}' },
    where: [{ column: "id", operator: "=", value: '{{ai("order", "the number of the order", "integer")}}' }],
  };
  const document = buildWorkflow({
    name: "Order desk",
    nodes: {
      start: ["chat-trigger", {}, "Chat"],
      agent: ["ai-agent", {}, "Agent"],
      model: ["demo-model", {}, "Demo"],
      tool: ["postgres-update-tool", config, "Change status"],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  for (const [index, id] of ["start", "agent", "model", "tool"].entries()) {
    const node = document.nodes[id];
    if (node) node.position = { x: [0, 320, 240, 640][index] ?? 0, y: [0, 0, 220, 40][index] ?? 0 };
  }
  return document;
}

const statuses = () => server.run("select id, status from orders order by id");

test("a database is connected, tried out and asked by an agent", async ({ page }) => {
  await enterWithTemplate(page, "Database assistant");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const chat = page.getByRole("region", { name: "Chat" });
  await expect(chat.getByRole("heading", { name: "Before the first question" })).toBeVisible();
  await expect(chat.getByText('"Read rows" has no credential.')).toBeVisible();
  await expect(chat.getByRole("button", { name: "What can you help me with?" })).toBeHidden();
  await look(page, "database-chat-unready");
  await chat.getByRole("button", { name: "Go there: Read rows" }).click();
  await expect(databaseField(page).getByRole("combobox")).toBeFocused();
  await addDatabase(page);
  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  await expect(chat.getByText('"Read rows" has no credential.')).toBeHidden();
  await expect(chat.getByText('"Change rows" has no credential.')).toBeVisible();
  await page.getByRole("tab", { name: "Node", exact: true }).click();
  await databaseField(page).getByRole("button", { name: "Test connection" }).click();
  await expect(databaseField(page).getByText(/PostgreSQL|Postgres \d|answered/)).toBeVisible();
  await expect(nodeCard(page, "Read rows")).toContainText("SELECT · any table");

  await inspector(page).getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog", { name: "Try Read rows" });
  await expect(dialog.getByText("orders: id integer primary key")).toBeVisible();
  await dialog.getByRole("combobox", { name: "table" }).selectOption("orders");
  await dialog.getByRole("textbox", { name: "whereSql" }).fill("status = 'open'");
  await dialog.getByRole("button", { name: "Run the tool" }).click();
  await expect(dialog.getByRole("table")).toContainText("Ivo");
  await expect(dialog.getByRole("table")).not.toContainText("Ann");
  await look(page, "database-try");
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  await chat.getByRole("button", { name: "Go there: Change rows" }).click();
  await choose(databaseField(page).getByRole("combobox"), "Postgres");
  await saved(page);
  await page.getByRole("tab", { name: "Chat", exact: true }).click();
  await expect(chat.getByRole("heading", { name: "Ask the first question" })).toBeVisible();
  await ask(page, "Show the first rows of orders");
  await expect(page.getByRole("log")).toContainText("240.00");
});

test("a change is shown before it is made, edited, and made as edited @rest", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(page, statusWorkflow());
  await nodeCard(page, "Change status").click();
  await expect(nodeCard(page, "Change status")).toContainText("UPDATE orders · ask");
  await addDatabase(page);
  await look(page, "database-update-settings");

  await inspector(page).getByRole("button", { name: "Try it" }).click();
  const trial = page.getByRole("dialog", { name: "Try Change status" });
  await trial.getByRole("textbox", { name: "status" }).fill("lost");
  await trial.getByLabel("order", { exact: true }).fill("1");
  await trial.getByRole("button", { name: "Show what it would do" }).click();
  await expect(trial.getByText("1 row of orders would change")).toBeVisible();
  await expect(trial.getByRole("table")).toContainText("lost");
  await look(page, "database-try-change");
  await page.keyboard.press("Escape");
  expect(await statuses()).toMatchObject([{ status: "open" }, { status: "open" }, { status: "paid" }]);

  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, 'Please change status of order 2 to "shipped"');
  const question = page.getByRole("group", { name: "Approve change_status" });
  await expect(question.getByText("1 row of orders would change")).toBeVisible();
  await expect(question.getByRole("table")).toContainText("Ivo");
  await look(page, "database-approval");
  await question.getByRole("button", { name: "Write JSON" }).click();
  await question.getByRole("textbox", { name: "Arguments" }).fill('{ "status": "shipped", "order": 3 }');
  await question.getByRole("button", { name: "Preview the edit" }).click();
  await expect(question.getByRole("table")).toContainText("Ann");
  expect(await statuses()).toMatchObject([{ status: "open" }, { status: "open" }, { status: "paid" }]);
  await look(page, "database-approval-edited");
  await question.getByRole("button", { name: "Approve as edited" }).click();
  await expect(page.getByRole("log")).toContainText("affectedRows");
  expect(await statuses()).toMatchObject([{ status: "open" }, { status: "open" }, { status: "shipped" }]);

  await showRun(page, "Logs");
  await expect(page.getByRole("tabpanel", { name: "Logs" })).toContainText('UPDATE orders where "id" = ?: 1 row');
  await showRun(page, "Steps");
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await steps.getByText("change_status").first().click();
  await expect(steps.getByText("Shown before approval")).toBeVisible();
  await look(page, "database-steps");
});
