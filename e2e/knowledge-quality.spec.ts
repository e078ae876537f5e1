import { choose, enterAsGuest, expect, makeCredential, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { sayReply } from "./servers/openai-reply.ts";

// In both, so that a model can quote it whichever it reads first.
const shared = "The workshop is in Lisbon.";
const returns = `# Returns\n\nA lamp can be returned within 30 days after it was delivered. ${shared}`;
const warranty = `# Warranty\n\nEvery frame has a warranty of five years. ${shared}`;

test("questions are added and written, searches are measured, and one click takes the better mode", async ({
  page,
  vendor,
}) => {
  await enterAsGuest(page);
  await page.goto("/credentials");
  await makeCredential(page, /^OpenAI-compatible/, [
    [/^Name/, "Loopback"],
    [/Base URL/, vendor.baseUrl],
    [/API key/, vendor.key],
  ]);
  await page.getByRole("link", { name: "Knowledge", exact: true }).click();
  await page.getByRole("button", { name: "New collection" }).click();
  const making = page.getByRole("dialog", { name: "New collection" });
  await making.getByRole("textbox", { name: "Name" }).fill("Handbook");
  await making.getByRole("combobox", { name: "Embeddings" }).selectOption("demo");
  await making.getByRole("button", { name: "Create collection" }).click();
  await page.getByLabel("Files to add").setInputFiles([
    { name: "returns.md", mimeType: "text/markdown", buffer: Buffer.from(returns) },
    { name: "warranty.md", mimeType: "text/markdown", buffer: Buffer.from(warranty) },
  ]);
  await expect(page.getByRole("heading", { name: "Added", exact: true })).toBeVisible();

  await page.getByRole("tab", { name: "Quality" }).click();
  await expect(page.getByText("No questions yet")).toBeVisible();
  await look(page, "knowledge-quality-empty");

  // By hand: what is marked has to stand in the document.
  await page.getByRole("button", { name: "Add question" }).click();
  const adding = page.getByRole("dialog", { name: "Add question" });
  await adding.getByRole("textbox", { name: "Question" }).fill("How long can a lamp be returned?");
  await adding.getByRole("button", { name: "Add question" }).click();
  await expect(adding.getByRole("alert")).toContainText("Mark at least one passage");
  await adding.getByRole("button", { name: "Find", exact: true }).click();
  await adding.getByRole("listitem").filter({ hasText: "30 days" }).getByRole("button").click();
  const quote = adding.getByRole("textbox", { name: "Right passage in returns.md" });
  await quote.fill("A lamp can be returned within 90 days.");
  await adding.getByRole("button", { name: "Add question" }).click();
  await expect(adding.getByRole("alert")).toContainText("do not stand in returns.md");
  await quote.fill("returned within 30 days");
  await look(page, "knowledge-quality-question");
  await adding.getByRole("button", { name: "Add question" }).click();
  const questions = page.getByRole("list", { name: "Questions", exact: true });
  await expect(questions.getByRole("listitem")).toHaveCount(1);

  // By a model: a quote that is not in the document is left out.
  const reply = (question: string, words: string) => sayReply(JSON.stringify({ usable: true, question, quote: words }));
  vendor.enqueue(reply("Who made it?", "Nobody wrote these words."), reply("Where is the workshop?", shared));
  await page.getByRole("button", { name: "Write with a model" }).click();
  const writing = page.getByRole("dialog", { name: "Write questions with a model" });
  await choose(writing.getByRole("combobox", { name: "Provider" }), "OpenAI-compatible");
  await choose(writing.getByRole("combobox", { name: "Credential" }), "Loopback");
  await writing.getByRole("combobox", { name: "Model" }).fill("gpt-4o");
  await writing.getByRole("button", { name: "Write questions" }).click();
  await expect(writing.getByRole("status")).toContainText("Left out: 1 question with a quote that is not");
  await look(page, "knowledge-quality-written");
  await writing.getByRole("button", { name: "Add 1 question" }).click();
  await expect(writing).toHaveCount(0);
  await expect(questions.getByRole("listitem")).toHaveCount(2);

  await page.getByRole("button", { name: /^Measure with/ }).click();
  const row = page.getByRole("row", { name: /^Keyword/ });
  await expect(row).toContainText(/100 % \(\d+–100 %\)/);
  await expect(page.getByRole("row", { name: /^Hybrid/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^Semantic/ })).toBeVisible();
  await look(page, "knowledge-quality");
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, "phone-knowledge-quality");
  await page.setViewportSize({ width: 1440, height: 900 });
  const use = page.getByRole("button", { name: /^Use / });
  const better = (await use.innerText()).replace("Use ", "");
  await use.click();
  await expect(page.getByRole("button", { name: `Uses ${better}` })).toBeDisabled();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByRole("combobox", { name: "Search mode" })).toHaveValue(better);
});
