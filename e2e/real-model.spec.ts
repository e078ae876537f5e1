import { connect } from "node:net";
import type { Page } from "@playwright/test";
import {
  ask,
  enterAsGuest,
  enterWithTemplate,
  expect,
  makeCredential,
  nodeCard,
  runEnded,
  saved,
  test,
} from "./fixtures.ts";
import { look } from "./look.ts";
import { startOpenaiServer } from "./servers/openai-server.ts";

/** A first answer of the demo model. From then on presses and filled fields are counted. */
async function firstAnswer(page: Page): Promise<() => Promise<{ presses: number; fields: number }>> {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "What is 6 * 7?");
  await expect(page.getByRole("log")).toContainText("42");
  await runEnded(page);
  await page.evaluate(() => {
    const filled = new Set<EventTarget | null>();
    let presses = 0;
    addEventListener("pointerdown", () => (presses += 1), { capture: true });
    const note = ({ target }: Event) =>
      target instanceof HTMLInputElement && target.type !== "radio" && filled.add(target);
    addEventListener("input", note, { capture: true });
    Object.assign(window, { counted: () => ({ presses, fields: filled.size }) });
  });
  return () => page.evaluate(() => (Reflect.get(window, "counted") as () => { presses: number; fields: number })());
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Use a real model" });

test("a real model is four clicks and two fields from the first answer", async ({ page, vendor }) => {
  const counted = await firstAnswer(page);
  await page.getByRole("button", { name: "Use a real model" }).click();
  const dialog = dialogOf(page);
  await dialog.getByText("OpenAI-compatible", { exact: true }).click();
  await dialog.getByLabel(/Base URL/).fill(vendor.baseUrl);
  await dialog.getByLabel(/API key/).fill(vendor.key);
  await dialog.getByRole("button", { name: "Connect" }).click();
  // One that the server has, not one that everybody may have.
  await expect(dialog.getByRole("combobox", { name: "Model" })).toHaveValue("gpt-4o");
  await dialog.getByRole("button", { name: "Use this model" }).click();
  expect(await counted()).toEqual({ presses: 4, fields: 2 });
  await expect(nodeCard(page, "OpenAI-compatible")).toContainText("gpt-4o");
  await saved(page);
  await ask(page, "What is 6 * 7?");
  await runEnded(page);
  expect(vendor.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${vendor.key}`);
});

test("an error stands at its field, what was typed stays, and what does not work is saved only on request", async ({
  page,
  vendor,
}) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Use a real model" }).click();
  const dialog = dialogOf(page);
  const key = dialog.getByLabel(/API key/);
  const address = dialog.getByLabel(/Base URL/);
  await dialog.getByText("OpenAI-compatible", { exact: true }).click();

  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(address).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Save without testing" })).toHaveCount(0);

  await address.fill(vendor.baseUrl);
  await key.fill("test-key-that-is-wrong");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(key).toHaveAccessibleDescription(/refused the credential with status 401/);
  await expect(key).toBeFocused();
  await expect(key).toHaveValue("test-key-that-is-wrong");
  await expect(address).toHaveValue(vendor.baseUrl);
  await look(page, "real-model-error", { both: true });

  await address.fill("http://127.0.0.1:9999/v1");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await expect(key).toHaveValue("test-key-that-is-wrong");

  // Another provider and back: the words are still there.
  await dialog.getByText("Anthropic", { exact: true }).click();
  await expect(key).toHaveValue("");
  await dialog.getByText("OpenAI-compatible", { exact: true }).click();
  await expect(key).toHaveValue("test-key-that-is-wrong");

  const credentials = await page.context().newPage();
  await credentials.goto("/credentials");
  await expect(credentials.getByText("No credentials yet")).toBeVisible();

  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByRole("button", { name: "Save without testing" }).click();
  await expect(dialog.getByRole("combobox", { name: "Credential" })).toContainText("127.0.0.1:9999 ····rong");
  await expect(dialog.getByRole("button", { name: "Use it without testing" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "Model" }).fill("my-model");
  await dialog.getByRole("button", { name: "Use it without testing" }).click();
  await expect(nodeCard(page, "OpenAI-compatible")).toContainText("my-model");
  await credentials.reload();
  await expect(credentials.getByRole("list", { name: "Credentials" })).toContainText("127.0.0.1:9999");
});

test("the list of models stands above everything, and keys choose from it", async ({ page }) => {
  const server = await startOpenaiServer({ models: Array.from({ length: 40 }, (_, index) => `model-${index + 10}`) });
  await page.setViewportSize({ width: 1280, height: 720 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Use a real model" }).click();
  const dialog = dialogOf(page);
  await dialog.getByText("OpenAI-compatible", { exact: true }).click();
  await dialog.getByLabel(/Base URL/).fill(server.baseUrl);
  await dialog.getByLabel(/API key/).fill(server.key);
  await dialog.getByRole("button", { name: "Connect" }).click();
  const model = dialog.getByRole("combobox", { name: "Model" });
  await expect(model).toHaveValue("model-10");
  await model.click();
  const list = page.getByRole("listbox", { name: "Suggestions" });
  const { x, y, width, height } = (await list.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(height).toBeGreaterThan(100);
  expect(y + height).toBeLessThanOrEqual(720);
  // What is seen at its corners is the list itself.
  for (const [left, top] of [
    [x + 4, y + 4],
    [x + width - 24, y + height - 4],
  ] as const) {
    const isList = ([at, down]: readonly [number, number]) =>
      document.elementFromPoint(at, down)?.closest("[role=listbox]") !== null;
    expect(await page.evaluate(isList, [left, top] as const)).toBe(true);
  }
  await look(page, "real-model-list");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(dialog).toBeVisible();
  await model.fill("model-3");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(model).toHaveValue("model-31");
  await server.close();
});

/** Whether something listens at a port of this machine. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(true));
    socket.on("error", () => resolve(false)).on("close", () => socket.destroy());
    socket.on("connect", () => socket.destroy());
  });
}

test("S70 Ollama on this computer is looked for by a click, and used two clicks after the first answer", async ({
  page,
}) => {
  test.skip(await answers(11_434), "Another program has Ollama's port.");
  const ollama = await startOpenaiServer({ port: 11434, key: null, models: ["nomic-embed-text", "qwen3:4b"] });
  try {
    const counted = await firstAnswer(page);
    await page.getByRole("button", { name: "Use a real model" }).click();
    const find = dialogOf(page).getByRole("button", { name: "Find and use it" });
    await expect(find).toBeVisible();
    expect(ollama.requests).toEqual([]);
    await look(page, "real-model-first", { both: true });
    await find.click();
    expect((await counted()).presses).toBe(2);
    await expect(nodeCard(page, "OpenAI-compatible")).toContainText("qwen3:4b");
    await expect(dialogOf(page)).toBeHidden();
    await saved(page);
    await ask(page, "What is 6 * 7?");
    await runEnded(page);
    expect(ollama.requests.at(-1)?.path).toBe("/v1/chat/completions");

    // The same server embeds a collection, without a key and at no cost.
    await page.goto("/knowledge");
    await page.getByRole("button", { name: "New collection" }).click();
    const collection = page.getByRole("dialog", { name: "New collection" });
    await collection.getByRole("textbox", { name: "Name" }).fill("Handbook");
    await collection.getByRole("button", { name: "Find and use it" }).click();
    await expect(collection.getByRole("combobox", { name: "Embeddings" })).toHaveValue("local");
    await expect(collection.getByRole("combobox", { name: "Embedding model" })).toHaveValue("nomic-embed-text");
    await expect(collection.getByRole("combobox", { name: "Credential" })).toHaveCount(0);
    await look(page, "knowledge-local-embeddings", { both: true });
    await collection.getByRole("button", { name: "Create collection" }).click();
    await page
      .getByLabel("Files to add")
      .setInputFiles([{ name: "lamps.md", mimeType: "text/markdown", buffer: Buffer.from("A lamp can be returned.") }]);
    await expect(page.getByRole("list", { name: "Documents being added" })).toContainText("Added");
    await page.getByRole("tab", { name: "Search" }).click();
    await expect(page.getByRole("combobox", { name: "Mode" })).toHaveValue("hybrid");
    await page.getByRole("textbox", { name: "Question" }).fill("lamp returned");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Passages", exact: true })).toContainText(/Meaning\s*\d\.\d{3}/);
    await look(page, "knowledge-search-hybrid", { both: true });
    expect(ollama.requests.at(-1)?.path).toBe("/v1/embeddings");
    expect(ollama.requests.every(({ headers }) => headers["authorization"] === undefined)).toBe(true);
  } finally {
    await ollama.close();
  }
});

test("nothing is saved on the credentials page and from a node that does not work, unless one says so", async ({
  page,
  vendor,
}) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  await makeCredential(page, /^OpenAI-compatible/, [
    [/^Name/, "Mine"],
    [/Base URL/, vendor.baseUrl],
    [/API key/, "test-key-that-is-wrong"],
  ]);
  const dialog = page.getByRole("dialog", { name: "New credential" });
  const key = dialog.getByLabel(/API key/);
  await expect(key).toHaveAttribute("aria-invalid", "true");
  await expect(key).toBeFocused();
  await expect(dialog).toContainText("status 401");
  await look(page, "credential-refused", { both: true });
  await key.fill(vendor.key);
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await expect(dialog).toBeHidden();
  const list = page.getByRole("heading", { name: "Mine", exact: true });
  await expect(list).toHaveCount(1);

  await page.getByRole("button", { name: "Actions for Mine" }).click();
  await page.getByRole("menuitem", { name: "Replace the secret" }).click();
  const replace = page.getByRole("dialog", { name: /Replace the secret/ });
  await replace.getByLabel(/API key/).fill("test-key-wrong-as-well");
  await replace.getByRole("button", { name: "Replace secret" }).click();
  await expect(replace).toContainText("status 401");
  await replace.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText(/accepted the credential/)).toBeVisible();
});

test("says so where neither Ollama nor LM Studio answers", async ({ page }) => {
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "Use a real model" }).click();
  await dialogOf(page).getByRole("button", { name: "Find and use it" }).click();
  await expect(dialogOf(page)).toContainText("Neither Ollama nor LM Studio answers on this computer.");
});
