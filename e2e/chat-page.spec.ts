import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { enterWithTemplate, expect, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { openDoor, publishOpened } from "./published-runs.ts";
import { enterWithSketch } from "./vendor-agent.ts";

const questions = ["What is 12.5% of 480?", "What can you do?"];

/** Publishes the template's agent with its chat page, and gives the page's address. */
async function openChatPage(page: Page, slug: string, perDay?: number, site?: string): Promise<string> {
  await enterWithTemplate(page, "Ask with tools");
  await saved(page);
  await publishOpened(page, { address: slug });
  const dialog = await openDoor(page, "Chat page");
  await dialog.getByLabel("Title").fill("Ask the workshop");
  await dialog.getByLabel("Welcome").fill("Ask about sums and dates.");
  await dialog.getByLabel("Suggested questions").fill(questions.join("\n"));
  await dialog.getByRole("switch", { name: "Name the tools that are used" }).click();
  if (perDay !== undefined) {
    await dialog.getByLabel("Messages a day").fill(String(perDay));
    await dialog.getByLabel("When the day's messages are used up").fill("We are back tomorrow at eight.");
  }
  if (site !== undefined) await dialog.getByLabel("Colour").fill("#b3261e");
  else await dialog.getByRole("switch", { name: /proof of work/ }).click();
  await dialog.getByRole("button", { name: "Save chat page" }).click();
  await expect(page.getByText("Chat page saved")).toBeVisible();
  if (site === undefined) await dialog.getByRole("switch", { name: "Chat page" }).click();
  else {
    // The website needs a site first, and brings the chat page along.
    await dialog.getByRole("button", { name: "Chat page", exact: true }).click();
    await dialog.getByRole("switch", { name: "Website" }).click();
    await expect(dialog.getByLabel("Sites that may show it")).toBeFocused();
    await page.keyboard.type(site);
    await dialog.getByRole("button", { name: "Save and switch on" }).click();
    await expect(dialog.getByRole("switch", { name: "Website" })).toBeChecked();
  }
  await expect(dialog.getByRole("switch", { name: "Chat page" })).toBeChecked();
  await expect(dialog.getByRole("link", { name: "Open" })).toBeVisible();
  const { origin } = new URL(page.url());
  return `${origin}/c/${slug}`;
}

/** A site of somebody else, which has one page. */
async function serveHtml(html: string): Promise<{ origin: string; close(): Promise<unknown> }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const opened: BrowserContext[] = [];
// Or their pages would go on, and take time from the tests after these.
test.afterEach(async () => void (await Promise.all(opened.splice(0).map((context) => context.close()))));

async function otherBrowser(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  opened.push(context);
  return context;
}

/** A browser of somebody else: nothing of the studio is in it. */
async function visitor(browser: Browser, address: string, failures: string[], viewport = { width: 1440, height: 900 }) {
  const page = await (await otherBrowser(browser, { viewport })).newPage();
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") failures.push(message.text());
  });
  await page.goto(address);
  await expect(page.getByRole("heading", { name: "Ask the workshop" })).toBeVisible();
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

const answered = (page: Page) =>
  expect(page.getByRole("button", { name: "Good answer" }).last()).toBeVisible({ timeout: 90_000 });

test("S76 visitors talk to a published agent on a page that knows nothing of the studio, nor of each other", async ({
  page,
  browser,
  failures,
}) => {
  const address = await openChatPage(page, "workshop");
  await look(page, "wide-chat-page-settings");
  // A switch that is not saved is lost neither by another tab nor by Done.
  const publishing = page.getByRole("dialog", { name: "Publish" });
  const named = publishing.getByRole("switch", { name: "Name the tools that are used" });
  await named.click();
  await publishing.getByRole("tab", { name: "Version" }).click();
  await publishing.getByRole("tab", { name: "Where it runs" }).click();
  await publishing.getByRole("button", { name: "Done" }).click();
  await expect(publishing.getByText("Discard your changes?")).toBeVisible();
  await look(page, "wide-chat-page-unsaved");
  await publishing.getByRole("button", { name: "Keep editing" }).click();
  await expect(named).not.toBeChecked();
  await named.click();
  await publishing.getByRole("button", { name: "Done" }).click();
  await expect(publishing).toBeHidden();
  const one = await visitor(browser, address, failures);
  await look(one, "wide-chat-page-new");
  await one.getByRole("button", { name: "What is 12.5% of 480?" }).click();
  await answered(one);
  const log = one.getByRole("list", { name: "Conversation" });
  await expect(log).toContainText("60");
  await expect(one.getByRole("list", { name: "Tools used" })).toContainText("calculator");
  await one.getByRole("button", { name: "Bad answer" }).click();
  await one.getByRole("textbox", { name: "Comment on the answer" }).fill("Show the steps.");
  await look(one, "wide-chat-page-feedback");
  await one.getByRole("button", { name: "Send comment" }).click();
  await expect(one.getByText("Comment sent")).toBeVisible();

  // The page has an origin of its own, and with it neither cookies nor storage.
  expect(await one.evaluate(() => window.origin)).toBe("null");
  for (const name of ["localStorage", "sessionStorage", "indexedDB"] as const) {
    const open = await one
      .evaluate(
        (kind) =>
          kind === "indexedDB" ? Promise.resolve(window.indexedDB.open("x")).then(() => true) : Boolean(window[kind]),
        name,
      )
      .catch(() => false);
    expect(open, name).toBe(false);
  }
  expect(await one.evaluate(() => document.cookie).catch(() => "refused")).toBe("refused");
  expect(await one.context().cookies()).toMatchObject([{ path: "/c/workshop", httpOnly: true, sameSite: "Lax" }]);

  // The same tab finds its conversation again, and goes on with it by keyboard.
  await one.reload();
  await expect(log).toContainText("60");
  await expect(one.getByRole("button", { name: "Bad answer" })).toHaveAttribute("aria-pressed", "true");
  await one.getByRole("textbox", { name: "Message" }).focus();
  await one.keyboard.type("And what did I ask before?");
  await one.keyboard.press("Enter");
  await expect(one.getByText("And what did I ask before?").first()).toBeVisible();
  await expect(one.getByRole("button", { name: "Good answer" })).toHaveCount(2, { timeout: 90_000 });
  await look(one, "wide-chat-page-answered");

  const other = await visitor(browser, address, failures, { width: 390, height: 844 });
  await expect(other.getByRole("button", { name: "Conversations" })).toBeHidden();
  await look(other, "narrow-chat-page-new");
  await ask(other, "What is 7 * 6?");
  await answered(other);
  await expect(other.getByRole("list", { name: "Conversation" })).not.toContainText("480");
  await look(other, "narrow-chat-page-answered");
  await other.getByRole("button", { name: "Conversations" }).click();
  const list = other.getByRole("dialog", { name: "Conversations" });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await look(other, "narrow-chat-page-list");
  await list.getByRole("button", { name: /^Delete “What is 7/ }).click();
  await list.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(list.getByRole("listitem")).toHaveCount(0);

  // The owner's own session is in the same browser as a page that they try.
  const own = await page.context().newPage();
  await own.goto(address);
  await expect(own.getByRole("heading", { name: "Ask the workshop" })).toBeVisible();
  expect(await own.evaluate(() => Object.keys(window.localStorage)).catch(() => "refused")).toBe("refused");
  const reached = await own.evaluate(() =>
    fetch("/rest/v1/studio_workflows?select=id").then(
      (answer) => answer.status,
      () => "refused",
    ),
  );
  expect(reached).toBe("refused");
  await own.close();
});

test("S76 the widget shows the chat in the corner of a listed site, and nowhere else", async ({
  page,
  browser,
  studio,
}) => {
  const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
    <script src="${studio.url}/widget.js" defer></script><switchyard-chat slug="corner" label="Ask us"></switchyard-chat>`;
  const [shop, stranger] = await Promise.all([serveHtml(html), serveHtml(html)]);
  try {
    await openChatPage(page, "corner", undefined, shop.origin);
    const context = await otherBrowser(browser);
    const one = await context.newPage();
    const script = one.waitForResponse(/widget\.js$/);
    await one.goto(shop.origin);
    expect(gzipSync(await (await script).body()).length).toBeLessThan(40 * 1024);
    const button = one.getByRole("button", { name: "Ask us", exact: true });
    await expect(button).toHaveCSS("background-color", "rgb(179, 38, 30)");
    await button.focus();
    await one.keyboard.press("Enter");
    const chat = one.frameLocator("iframe");
    await expect(chat.getByRole("heading", { name: "Ask the workshop" })).toBeVisible();
    await look(one, "wide-chat-widget");
    const ended = one.evaluate(
      () =>
        new Promise((resolve) => {
          const element = document.querySelector("switchyard-chat");
          element?.addEventListener("chat-answer", (event) => resolve((event as CustomEvent).detail), { once: true });
          (element as HTMLElement & { send(text: string): void }).send("What is 6 * 7?");
        }),
    );
    expect(await ended).toEqual({ status: "completed" });
    await expect(chat.getByRole("list", { name: "Conversation" })).toContainText("42");
    await chat.getByRole("textbox", { name: "Message" }).press("Escape");
    await expect(one.getByRole("dialog", { name: "Ask us" })).toBeHidden();
    await expect(button).toBeFocused();

    const other = await context.newPage();
    await other.setViewportSize({ width: 390, height: 844 });
    await other.goto(stranger.origin);
    await other.getByRole("button", { name: "Ask us", exact: true }).click();
    await expect(other.frameLocator("iframe").getByRole("heading", { name: "Ask the workshop" })).toBeHidden();
    await other.goto(shop.origin);
    await other.getByRole("button", { name: "Ask us", exact: true }).click();
    await expect(other.frameLocator("iframe").getByRole("heading", { name: "Ask the workshop" })).toBeVisible();
    await look(other, "narrow-chat-widget");
  } finally {
    await Promise.all([shop.close(), stranger.close()]);
  }
});

test("S77 a page whose messages of the day are used up says so @rest", async ({ page, browser, failures }) => {
  const address = await openChatPage(page, "workshop-of-one", 1);
  const one = await visitor(browser, address, failures);
  await ask(one, "What is 1 + 1?");
  await answered(one);
  await ask(one, "What is 2 + 2?");
  const said = one.getByRole("list", { name: "Conversation" });
  await expect(said.getByText("We are back tomorrow at eight.")).toBeVisible();
  // What was said before stays, and so does the message that was refused.
  await expect(said.getByRole("listitem").first()).toContainText("What is 1 + 1?");
  await expect(said).toContainText("What is 2 + 2?");
  // The refusal itself is an error in the console of a browser.
  expect(failures.splice(0)).toEqual([expect.stringContaining("503")]);
  await look(one, "wide-chat-page-closed");
});

test("a visitor is told that an answer waits for a person, also after coming back, and reads it once it goes on @rest", async ({
  page,
  browser,
  failures,
}) => {
  await enterWithSketch(page, "Ask the workshop", {
    nodes: {
      chat: { type: "chat-trigger", title: "Chat" },
      agent: { type: "ai-agent", title: "Agent" },
      model: { type: "demo-model", title: "Model" },
      tool: { type: "calculator-tool", title: "Calculator", config: { approval: "ask" } },
    },
    edges: [
      ["chat.main", "agent.main"],
      ["model.model", "agent.model"],
      ["tool.tool", "agent.tools"],
    ],
  });
  await saved(page);
  await publishOpened(page);
  const dialog = await openDoor(page, "Chat page");
  await dialog.getByLabel("Suggested questions").fill("What is 6 * 7?");
  await dialog.getByRole("button", { name: "Save chat page" }).click();
  await expect(page.getByText("Chat page saved")).toBeVisible();
  await dialog.getByRole("switch", { name: "Chat page" }).click();
  const address = await dialog.getByRole("link", { name: "Open" }).getAttribute("href");
  const one = await visitor(browser, address ?? "", failures);
  await one.getByRole("button", { name: "What is 6 * 7?" }).focus();
  await one.keyboard.press("Enter");
  await expect(one.getByRole("textbox", { name: "Message" })).toBeFocused();
  const said = one.getByRole("list", { name: "Conversation" });
  await expect(said.getByText("A person has to answer something first.")).toBeVisible({ timeout: 90_000 });
  await look(one, "wide-chat-page-waits");
  await one.reload();
  await expect(said.getByText("A person has to answer something first.")).toBeVisible();
  await page.goto("/inbox");
  await page.getByRole("button", { name: "Approve" }).first().click();
  await expect(said).toContainText("42", { timeout: 90_000 });
  await expect(said.getByText("A person has to answer something first.")).toBeHidden();
});
