import { ask, enterAsGuest, enterWithTemplate, expect, nodeCard, runEnded, saved, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { holdBack } from "./hold-back.ts";

// From the first page to the first answer, and what is told of it.

test("the first answer keeps its question in view, and a slider under it shows how it came about", async ({ page }) => {
  await page.setViewportSize({ width: 1_920, height: 1_000 });
  await enterWithTemplate(page, "Ask with tools");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const log = page.getByRole("log", { name: "Conversation" });
  const hint = page.getByText("Demo, no AI");
  await expect(hint).toHaveCount(1);
  await ask(page, "What is 12.5% of 480?");
  const question = log.getByText("What is 12.5% of 480?", { exact: true });
  await expect(question).toBeInViewport();
  await expect(log).toContainText("12.5% of 480 is 60.");
  await runEnded(page);
  await expect(log.getByText("Your first run")).toBeVisible();
  await expect(question).toBeInViewport({ ratio: 1 });
  await expect(log.getByText("12.5% of 480 is 60.")).toBeInViewport({ ratio: 1 });
  // Both hints share one line.
  const see = page.getByRole("button", { name: "See what was sent" });
  const [left, right] = [await hint.boundingBox(), await see.boundingBox()];
  expect(Math.abs((left?.y ?? 0) - (right?.y ?? 99))).toBeLessThan(8);

  await expect(log.getByText("Drag to see how it got there")).toBeVisible();
  const slider = log.getByRole("slider", { name: "Position in the run" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^The run starts/);
  await expect(nodeCard(page, "Calculator").locator(".card-run")).toHaveCount(0);
  // The answer stays as it was, and the next question can be asked.
  await expect(log).toContainText("12.5% of 480 is 60.");
  await expect(page.getByRole("button", { name: "Test", exact: true })).toBeVisible();
  await look(page, "first-answer-replayed", { both: true });
  await page.keyboard.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", /^The run is complete/);

  await ask(page, "What is 2 + 3?");
  await expect(log).toContainText("2 + 3 is 5.");
  await runEnded(page);
  // Once is enough; from then on it is a click away.
  await expect(log.getByText("Your first run")).toHaveCount(1);
  await log.getByRole("button", { name: "See how it got there" }).click();
  await expect(log.getByRole("slider", { name: "Position in the run" })).toHaveCount(2);

  await see.click();
  const sent = page.getByRole("region", { name: "What the model saw" });
  await expect(sent).toBeFocused();
  await expect(sent).toBeInViewport();
  await expect(sent).toContainText("What is 2 + 3?");
});

test("a description on the first page becomes a workflow with a proposal", async ({ page }) => {
  await enterAsGuest(page);
  await page.getByRole("button", { name: "Answer questions about a web page" }).click();
  await expect(page.getByRole("textbox", { name: "Describe your agent" })).toHaveValue(
    "Answer questions about a web page",
  );
  await look(page, "first-page", { both: true });
  await page.getByRole("textbox", { name: "Describe your agent" }).press("Enter");
  await expect(page).toHaveURL(/\/w\//);
  await expect(page.getByText("Answer questions about a web page").first()).toBeVisible();
  const review = page.getByRole("region", { name: "Proposed changes" });
  await expect(review.getByRole("button", { name: "Accept all" })).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByRole("complementary", { name: "Assistant" })).toContainText("reads web addresses");
  await review.getByRole("button", { name: "Accept all" }).click();
  await expect(nodeCard(page, "Read a page")).toBeVisible();
  await saved(page);
});

test("a notice makes room under the last answer, and the library says what is live", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterWithTemplate(page, "Ask with tools");
  const log = page.getByRole("log", { name: "Conversation" });
  await ask(page, "What is 2 + 3?");
  await expect(log).toContainText("2 + 3 is 5.");
  await runEnded(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: /^Publish/ }).click();
  const publishing = await holdBack(page, /rpc\/studio_publish/, () => true);
  await page.getByRole("dialog", { name: "Publish" }).getByRole("button", { name: "Publish", exact: true }).click();
  await publishing.asked;
  // Whoever leaves the dialog before is told outside of it.
  await page.keyboard.press("Escape");
  publishing.release();
  const told = page.getByRole("region", { name: "Notifications" });
  await expect(told).toContainText("is live");
  const place = async () => {
    const [notice, answers] = [await told.boundingBox(), await log.boundingBox()];
    return (notice?.y ?? 0) - ((answers?.y ?? 0) + (answers?.height ?? 0));
  };
  await expect.poll(place).toBeGreaterThanOrEqual(0);
  await page.goto("/");
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Ask with tools" }) });
  await expect(card).toContainText("LiveAPI");
  await look(page, "library-live", { both: true });
});
