import { expect, test } from "./fixtures.ts";
import { look } from "./look.ts";
import { startStudio } from "./studio.ts";

test("the operator checks an address for new prices, sees what they change, and accepts them @rest", async ({
  page,
  api,
}) => {
  const cost = (input: number, output: number) => ({ cost: { input, output }, limit: { context: 9, output: 9 } });
  const models = { "gpt-4.1": cost(3, 9), "gpt-4o": cost(0, 10), "gpt-99": cost(1, 2) };
  const keep = (text: string) => fetch(`${api.url}/kept/prices.json`, { method: "POST", body: text });
  await keep("no list");
  const studio = await startStudio({
    allowHosts: [new URL(api.url).host],
    environment: { STUDIO_PRICES: `${api.url}/kept/prices.json` },
  });
  try {
    await page.goto(`${studio.url}/settings`);
    await page.getByRole("button", { name: "Continue as guest" }).click();
    await expect(page.getByRole("link", { name: "Settings" })).toBeVisible();
    await page.goto(`${studio.url}/settings`);
    const check = page.getByRole("button", { name: "Check for new prices" });
    await check.click();
    await expect(page.getByText("There is no list of models at this address.")).toBeVisible();
    await keep(JSON.stringify({ openai: { models } }));
    await check.click();
    const dialog = page.getByRole("dialog", { name: "New prices" });
    await expect(dialog.getByRole("region", { name: "Refused" })).toContainText("gpt-4o");
    await expect(dialog.getByRole("region", { name: "Changed" })).toContainText(/\$2 in, \$8 out.* → \$3 in, \$9 out/);
    await expect(dialog.getByRole("region", { name: "New", exact: true })).toContainText("gpt-99");
    await look(page, "wide-new-prices", { both: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, "narrow-new-prices");
    await dialog.getByRole("button", { name: "Accept 2 changes" }).click();
    await expect(page.getByText(/were accepted on \d{4}-\d\d-\d\d/)).toBeVisible();
    await look(page, "narrow-model-prices");
    await page.setViewportSize({ width: 1440, height: 900 });
    await check.scrollIntoViewIfNeeded();
    await look(page, "wide-model-prices");
    await check.click();
    await expect(dialog.getByRole("region", { name: "Changed" })).toBeHidden();
    await expect(dialog.getByRole("region", { name: "Refused" })).toContainText("gpt-4o");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Use this version’s prices" }).click();
    await expect(page.getByText("Runs use the prices that come with this version.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Use this version’s prices" })).toBeHidden();
  } finally {
    await studio.stop();
  }
});
