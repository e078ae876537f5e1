import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import {
  ask,
  canvasReady,
  choose,
  enterAsGuest,
  expect,
  makeCredential,
  nodeCard,
  openTemplate,
  showRun,
  test,
  widePanel,
} from "./fixtures.ts";
import { holdBack } from "./hold-back.ts";
import { look } from "./look.ts";
import { makePdf } from "../src/documents/testing/make-pdf.ts";

interface DroppedFile {
  name: string;
  type: string;
  content: string | Buffer;
}

const returns = `# Returns

## How long you have

A lamp can be returned within 30 days after it was delivered.

## When the money comes back

The refund shows on your account after three to five working days.
`;

const warranty = makePdf([
  [{ text: "Frames of oak and of birch.", size: 12 }],
  [
    { text: "Warranty", size: 18 },
    { text: "Every frame has a war-", size: 12 },
    { text: "ranty of five years.", size: 12 },
  ],
]);

const files: DroppedFile[] = [
  { name: "returns.md", type: "text/markdown", content: returns },
  { name: "prices.csv", type: "text/csv", content: "lamp,price,wood\nAlder,240,oak\nBirch,180,birch\n" },
  { name: "warranty.pdf", type: "application/pdf", content: Buffer.from(warranty) },
  { name: "broken.pdf", type: "application/pdf", content: "this is no PDF" },
];

/** Whether the page of a PDF shows something, and whether its marks cover some of that. */
function drawnAndMarked(canvas: Locator): Promise<{ drawn: boolean; marked: boolean }> {
  return canvas.evaluate((node) => {
    if (!(node instanceof HTMLCanvasElement)) throw new Error("no canvas");
    const frame = node.getBoundingClientRect();
    const scale = node.width / frame.width;
    const hasInk = (box: DOMRect) => {
      const size = [box.width * scale, box.height * scale] as const;
      const data = node.getContext("2d")?.getImageData((box.x - frame.x) * scale, (box.y - frame.y) * scale, ...size);
      return data?.data.some((value, index) => index % 4 !== 3 && value < 100) ?? false;
    };
    const marks = [...(node.parentElement?.querySelectorAll("mark") ?? [])].map((mark) => mark.getBoundingClientRect());
    return { drawn: hasInk(frame), marked: marks.length > 0 && marks.every(hasInk) };
  });
}

/** Lets go of files over the page's drop area. */
async function drop(page: Page, area: Locator, dropped: readonly DroppedFile[]): Promise<void> {
  const encoded = dropped.map(({ name, type, content }) => ({
    name,
    type,
    base64: Buffer.from(content).toString("base64"),
  }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, encoded);
  await area.dispatchEvent("dragover", { dataTransfer });
  await area.dispatchEvent("drop", { dataTransfer });
}

async function makeCollection(
  page: Page,
  name: string,
  chooseMore?: (dialog: Locator) => Promise<void>,
): Promise<void> {
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await expect(dialog.getByRole("combobox", { name: "Embeddings" })).toHaveValue("none");
  await chooseMore?.(dialog);
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByRole("heading", { name, exact: true, level: 1 })).toBeVisible();
}

const documents = (page: Page) => page.getByRole("list", { name: "Documents", exact: true });
const jobs = (page: Page) => page.getByRole("list", { name: "Documents being added" });

test("16 files at once have one bar, and the list says how many are done", async ({ page }) => {
  await enterAsGuest(page);
  await makeCollection(page, "Handbook");
  const last = await holdBack(
    page,
    /rest\/v1\/(rpc\/)?studio_/,
    (request) => request.method() === "POST" && request.postData()?.includes("page-16.md") === true,
  );
  await page.getByLabel("Files to add").setInputFiles(
    Array.from({ length: 16 }, (_, at) => ({
      name: `page-${at + 1}.md`,
      mimeType: "text/markdown",
      buffer: Buffer.from(`# Page ${at + 1}\n\nWhat stands on page ${at + 1}.`),
    })),
  );
  const adding = page.getByRole("region", { name: "Adding 16 documents" });
  await expect(adding).toContainText("15 of 16 done");
  const bar = adding.getByRole("progressbar");
  await expect(bar).toHaveCount(1);
  await expect(bar).toHaveAttribute("aria-valuenow", "94");
  await look(page, "knowledge-many");
  last.release();
  await expect(page.getByRole("heading", { name: "Added", exact: true })).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(jobs(page).getByRole("listitem")).toHaveCount(16);
});

test("files are dropped, one fails without the others, and a search shows both scores", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(page.getByText("No collections yet")).toBeVisible();
  await look(page, "knowledge-empty");
  await makeCollection(page, "Handbook");
  await look(page, "knowledge-collection-empty");

  const scripts = { name: "app.html", type: "text/html", content: "<script>document.write('words')</script>" };
  await drop(page, page.getByRole("region", { name: "Add documents" }), [...files, scripts]);
  await expect(documents(page).getByRole("listitem")).toHaveCount(3);
  await expect(jobs(page).getByRole("listitem").filter({ hasText: "app.html" })).toContainText("made by scripts");
  const broken = jobs(page).getByRole("listitem").filter({ hasText: "broken.pdf" });
  await expect(broken.getByRole("button", { name: "Try again" })).toBeVisible();
  for (const name of ["returns.md", "prices.csv", "warranty.pdf"]) {
    await expect(jobs(page).getByRole("listitem").filter({ hasText: name })).toContainText("Added");
    await expect(documents(page)).toContainText(name);
  }
  await look(page, "knowledge-documents");

  // The same content under another name is noticed.
  await page
    .getByLabel("Files to add")
    .setInputFiles([{ name: "copy.md", mimeType: "text/markdown", buffer: Buffer.from(returns) }]);
  await expect(jobs(page)).toContainText("Same content as “returns.md”");
  await expect(documents(page).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("button", { name: "Clear the list" }).click();
  await expect(jobs(page)).toHaveCount(0);

  await page.getByRole("button", { name: "Paste text" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("# Opening hours\n\nThe workshop is open from nine to five.");
  await look(page, "knowledge-paste");
  await page.getByRole("button", { name: "Add text" }).click();
  await expect(documents(page)).toContainText("Opening hours");

  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("How long is the warranty of a frame?");
  await page.keyboard.press("Enter");
  const first = page.getByRole("list", { name: "Passages", exact: true }).getByRole("listitem").first();
  await expect(first).toContainText("warranty.pdf");
  await expect(first).toContainText("Words");
  await expect(first).toContainText(/Words\s*0\.\d{3}|Words\s*1\.000/);
  await look(page, "knowledge-search");
  await first.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "warranty.pdf" });
  const pdfPage = dialog.getByRole("img", { name: "Page 2 of warranty.pdf" });
  await expect(pdfPage).toBeVisible();
  expect(await drawnAndMarked(pdfPage)).toEqual({ drawn: true, marked: true });
  await look(page, "knowledge-source-pdf");
  await dialog.getByRole("group", { name: "Pages of the PDF" }).press("ArrowLeft");
  await expect(dialog.getByRole("status").filter({ hasText: "Page 1 of 2" })).toBeVisible();
  await expect(dialog.locator("mark")).toHaveCount(0);
  await dialog.getByRole("tab", { name: "Text" }).click();
  await expect(dialog.locator("mark")).toContainText("five years");
  await page.keyboard.press("Escape");

  const filter = page.getByText("Only passages with").first();
  const passages = page.getByRole("list", { name: /^Passages/ }).getByRole("listitem");
  const choose = async (name: string, value: string) => {
    await page.getByRole("textbox", { name: "Only passages with: name 1" }).fill(name);
    await page.getByRole("textbox", { name: "Only passages with: value 1" }).fill(value);
    await page.keyboard.press("Enter");
  };
  await expect(page.getByRole("button", { name: "Add a row" })).toBeHidden();
  await filter.click();
  await page.getByRole("button", { name: "Add a row" }).click();
  await choose("document", "returns.md");
  await expect(page.getByRole("status").filter({ hasText: 'with document = "returns.md"' })).toBeVisible();
  await expect(passages.filter({ hasText: "warranty.pdf" })).toHaveCount(0);
  await choose("page", "1");
  await expect(passages).toHaveCount(1);
  await expect(passages).toContainText("warranty.pdf");
  await look(page, "knowledge-search-filter");
  await choose("page", "99");
  await expect(page.getByText("No passage with page = 99 has anything in common")).toBeVisible();
  await filter.click();
  await expect(page.locator("summary", { hasText: "Only passages" })).toHaveText("Only passages with page = 99");
  await look(page, "knowledge-search-filter-empty");
  await page.getByRole("button", { name: "Search all passages" }).click();
  await expect(page.getByRole("textbox", { name: "Question" })).toBeFocused();
  await expect(first).toContainText("warranty.pdf");
  await expect(page.locator("summary", { hasText: "Only passages" })).toHaveText("Only passages with …");

  await page.getByRole("textbox", { name: "Question" }).fill("penguins");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing was found")).toBeVisible();

  await page.getByRole("tab", { name: "Documents" }).click();
  await page.getByRole("link", { name: "warranty.pdf" }).click();
  const metadata = page.locator("summary", { hasText: "Metadata" });
  await metadata.click();
  await page.getByRole("button", { name: "Add a row" }).click();
  await page.getByRole("textbox", { name: "Metadata: name 1" }).fill("year");
  await page.getByRole("textbox", { name: "Metadata: value 1" }).fill("2025");
  await look(page, "knowledge-document-metadata");
  await page.getByRole("button", { name: "Save metadata" }).click();
  await expect(metadata).toHaveText("Metadata year: 2025");
});

test("a document that could not be embedded stands once, and both ways to it lead on @rest", async ({
  page,
  vendor,
}) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  await makeCredential(
    page,
    /^OpenAI-compatible/,
    [
      [/^Name/, "Wrong"],
      [/Base URL/, vendor.baseUrl],
      [/API key/, "test-key-that-is-wrong"],
    ],
    { works: false },
  );
  await makeCollection(page, "Half", async (dialog) => {
    await dialog.getByRole("combobox", { name: "Embeddings" }).selectOption({ label: "OpenAI-compatible" });
    await choose(dialog.getByRole("combobox", { name: /^Credential/ }), "Wrong");
    await dialog.getByRole("combobox", { name: "Embedding model" }).fill("text-embedding-3-small");
  });
  await drop(page, page.getByRole("region", { name: "Add documents" }), files.slice(0, 1));
  await page.getByRole("button", { name: "Add and embed" }).click();
  const failed = jobs(page).getByRole("listitem").filter({ hasText: "returns.md" });
  await expect(failed.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(documents(page)).toHaveCount(0);
  await look(page, "knowledge-failed");
  await failed.getByRole("link", { name: "returns.md" }).click();
  await expect(page.getByRole("heading", { name: "returns.md", exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Clear the list" }).click();
  const stored = documents(page).getByRole("listitem").filter({ hasText: "returns.md" });
  await expect(stored.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("web pages are added by their addresses; one is stopped and resumed, one says why it failed @rest", async ({
  page,
  api,
}) => {
  await enterAsGuest(page);
  await makeCollection(page, "Pages");
  await page.getByRole("button", { name: "Add a URL" }).click();
  const addresses = page.getByRole("textbox", { name: "Addresses" });
  await addresses.fill("no address at all");
  await page.getByRole("dialog").getByRole("button", { name: /^Add/ }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Not a web address");
  await addresses.fill([`${api.url}/text`, `${api.url}/status/404`, `${api.url}/held/${Date.now()}`].join("\n"));
  await look(page, "knowledge-url");
  await page.getByRole("button", { name: "Add 3 pages" }).click();

  const row = (name: string) => jobs(page).getByRole("listitem").filter({ hasText: name });
  await expect(row("/text")).toContainText("Added");
  await expect(row("/status/404")).toContainText("404");
  await row("/held")
    .getByRole("button", { name: /^Stop adding/ })
    .click();
  await expect(row("/held")).toContainText("Stopped");
  await row("/held").getByRole("button", { name: "Resume" }).click();
  await expect(row("/held")).toContainText("Added");
  await expect(documents(page).getByRole("listitem")).toHaveCount(2);
});

test("a collection is renamed, embedded, cut again, exported, deleted and brought back @rest", async ({ page }) => {
  await enterAsGuest(page);
  await makeCollection(page, "Draft");
  await drop(page, page.getByRole("region", { name: "Add documents" }), files.slice(0, 2));
  await expect(documents(page).getByRole("listitem")).toHaveCount(2);

  await page.getByRole("button", { name: "Actions for Draft" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name of Draft" }).fill("Shop");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Shop", exact: true, level: 1 })).toBeVisible();

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Made by" }).selectOption("demo");
  await expect(page.getByText("embedded at no cost")).toBeVisible();
  await look(page, "knowledge-settings");
  await page.getByRole("button", { name: "Embed all documents" }).click();
  // From then on the list tells of the embedding; before, of what was dropped.
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts).toContainText("The documents are being embedded");
  await page.getByRole("tab", { name: "Documents" }).click();
  await expect(
    jobs(page)
      .getByRole("listitem")
      .filter({ hasText: /Updated|Added|unchanged/ }),
  ).toHaveCount(2);

  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("when does the refund come back");
  await page.keyboard.press("Enter");
  const first = page.getByRole("list", { name: "Passages", exact: true }).getByRole("listitem").first();
  await expect(first).toContainText(/Meaning\s*0\.\d{3}/);
  await expect(page.getByRole("status").filter({ hasText: "hybrid" })).toBeVisible();
  await page.getByRole("combobox", { name: "Mode" }).selectOption("semantic");
  await expect(page.getByRole("status").filter({ hasText: "semantic" })).toBeVisible();

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Chunk size" }).fill("20");
  await expect(page.getByText("Enter a whole number from 50")).toBeVisible();
  await page.getByRole("combobox", { name: "Split", exact: true }).selectOption("parents");
  await page.getByRole("combobox", { name: "Headings", exact: true }).selectOption("1");
  await page.getByRole("textbox", { name: "Section size" }).fill("200");
  await page.getByRole("textbox", { name: "Chunk size" }).fill("60");
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("An agent gets 3 sections in their place.");
  await expect(preview).toContainText("embedded at no cost");
  await look(page, "knowledge-parents");
  await page.getByRole("button", { name: /Split 2 documents again/ }).click();
  await expect(toasts).toContainText("being split again");
  await page.getByRole("tab", { name: "Documents" }).click();
  await expect(jobs(page).getByRole("listitem").filter({ hasText: "Updated" })).toHaveCount(2);

  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("when does the refund come back");
  await page.keyboard.press("Enter");
  await expect(first).toContainText("Returns › When the money comes back");
  await expect(first).toContainText("An agent gets the section around it");
  await page.getByRole("tab", { name: "Documents" }).click();

  await documents(page).getByRole("link", { name: "returns.md" }).click();
  await expect(page.getByRole("heading", { name: "returns.md", exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "Chunks" })).toContainText("How long you have");
  await look(page, "knowledge-document");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await toasts.filter({ hasText: 'Deleted "returns.md"' }).getByRole("button", { name: "Undo" }).click();
  await expect(documents(page).getByRole("listitem")).toHaveCount(2);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("shop.knowledge.json");
  expect(await readFile(await download.path(), "utf8")).toContain("30 days");

  await page.getByRole("button", { name: "Actions for Shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("No collections yet")).toBeVisible();
  await toasts.filter({ hasText: 'Deleted "Shop"' }).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("list", { name: "Collections" })).toContainText("2 documents");
  await look(page, "knowledge-collections");
});

test("the support bot answers from its handbook, and its source opens, also after a reload", async ({ page }) => {
  await widePanel(page);
  await enterAsGuest(page);
  await openTemplate(page, "Support bot with knowledge");
  await expect(nodeCard(page, "Handbook")).toContainText("Lamp shop · hybrid · 5");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "How many days do I have to return a lamp?");
  const log = page.getByRole("log");
  await expect(log).toContainText("within 30 days");
  const sources = log.getByRole("list", { name: "Sources of this answer" });
  const chip = sources.getByRole("button").first();
  await expect(chip).toContainText("Returns and refunds.md");
  await look(page, "knowledge-citation");

  await chip.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Returns and refunds.md" });
  await expect(dialog.locator("mark").first()).toBeInViewport();
  await expect(dialog.locator("mark", { hasText: "30 days" }).first()).toBeVisible();
  await look(page, "knowledge-citation-open");
  await page.keyboard.press("Escape");
  await expect(chip).toBeFocused();

  await showRun(page, "Steps");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText(/knowledge.base.search/i);
  const summary = page.getByRole("tabpanel", { name: "Steps" }).getByRole("list", { name: "Sources of this answer" });
  await expect(summary.getByRole("button").first()).toContainText("Returns and refunds.md");
  await look(page, "knowledge-citation-in-results");

  await page.reload();
  await canvasReady(page);
  await page.getByRole("tab", { name: "Chat" }).click();
  await expect(sources.getByRole("button").first()).toContainText("Returns and refunds.md");
  await sources.getByRole("button").first().click();
  await dialog.getByRole("link", { name: "Open the document" }).click();
  await expect(page).toHaveURL(/\/knowledge\/.+\/documents\/.+chunk=/);
  await expect(page.locator("[aria-current=true]")).toContainText("30 days");

  // A second use takes the same handbook.
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await openTemplate(page, "Support bot with knowledge");
  await nodeCard(page, "Handbook").locator(".card-title").click();
  await expect(page.getByRole("combobox", { name: "Collection" })).toContainText("Lamp shop · 3 documents");
  const workflow = page.url();
  await page.getByRole("link", { name: "Open this collection" }).click();
  await expect(documents(page).getByRole("listitem")).toHaveCount(3);

  // The card follows its name, and says when it is gone.
  await page.getByRole("button", { name: "Actions for Lamp shop" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name of Lamp shop" }).fill("Lighting shop");
  const renamed = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Lighting shop", exact: true, level: 1 })).toBeVisible();
  const collection = page.url();
  await renamed;
  await page.goto(workflow);
  await expect(nodeCard(page, "Handbook")).toContainText("Lighting shop · hybrid · 5");
  await page.goto(collection);
  await page.getByRole("button", { name: "Actions for Lighting shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("No collections yet")).toBeVisible();
  await page.goto(workflow);
  await expect(nodeCard(page, "Handbook")).toContainText("Deleted collection");
  await expect(nodeCard(page, "Handbook").getByRole("img", { name: /collection .* was deleted/ })).toBeVisible();
  await nodeCard(page, "Handbook").locator(".card-title").click();
  await expect(page.getByRole("alert").filter({ hasText: "was deleted" })).toBeVisible();
  await look(page, "knowledge-deleted-collection");
});

test("the pages of the knowledge base fit a phone @rest", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAsGuest(page);
  await makeCollection(page, "Handbook for a name that is rather long");
  await drop(page, page.getByRole("region", { name: "Add documents" }), files);
  await expect(documents(page).getByRole("listitem")).toHaveCount(3);
  await expect(jobs(page).getByRole("button", { name: "Try again" })).toBeVisible();
  await look(page, "knowledge-phone-documents");
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("How long is the warranty of a frame?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Passages", exact: true })).toContainText("warranty.pdf");
  await look(page, "knowledge-phone-search");
  await page.getByText("Only passages with").first().click();
  await page.getByRole("button", { name: "Add a row" }).click();
  await page.getByRole("textbox", { name: "Only passages with: name 1" }).fill("document");
  await page.getByRole("textbox", { name: "Only passages with: value 1" }).fill("warranty.pdf");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: 'with document = "warranty.pdf"' })).toBeVisible();
  await look(page, "knowledge-phone-search-filter");
  await page.getByRole("list", { name: "Passages", exact: true }).getByRole("button").first().click();
  await expect(page.getByRole("img", { name: "Page 2 of warranty.pdf" })).toBeVisible();
  await look(page, "knowledge-phone-chunk");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Settings" }).click();
  await look(page, "knowledge-phone-settings");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
