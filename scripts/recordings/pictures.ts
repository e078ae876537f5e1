import type { Page } from "playwright-core";

/** A picture for the README: its file's name without an ending, and how to get there. */
interface Picture {
  name: string;
  show(page: Page): Promise<void>;
}

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Taken in this order, by somebody who has just had the first answer. */
export const pictures: Picture[] = [
  {
    name: "steps",
    async show(page) {
      await main(page).getByRole("link", { name: "Runs" }).click();
      await page.getByRole("list", { name: "Stored runs" }).getByRole("link").first().click();
      await page
        .getByRole("listbox", { name: "Steps" })
        .getByRole("option", { name: /^calculator/i })
        .click();
    },
  },
  {
    name: "publish",
    async show(page) {
      await main(page).getByRole("link", { name: "Workflows" }).click();
      await page
        .getByRole("link", { name: /^Ask with tools/ })
        .first()
        .click();
      const dialog = page.getByRole("dialog", { name: "Publish" });
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await dialog.getByRole("button", { name: "Publish", exact: true }).click();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.locator(".react-flow__node", { hasText: "HTTP request" }).locator(".card-title").click();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await dialog.getByText("Compared with version 1").waitFor();
    },
  },
  {
    name: "tests",
    async show(page) {
      await page.keyboard.press("Escape");
      await main(page).getByRole("link", { name: "Tests" }).click();
      await page.getByRole("button", { name: "Try an example" }).click();
      await page.getByRole("menuitem", { name: "Ask with tools" }).click();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("15 of 15 trials passed").waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
      // The message about the run goes by itself, on a slow machine before the last trial.
      await page.getByRole("button", { name: "Dismiss" }).waitFor({ state: "hidden" });
    },
  },
  {
    name: "assistant",
    async show(page) {
      await main(page).getByRole("link", { name: "Workflows" }).click();
      await page.getByRole("button", { name: "New workflow" }).first().click();
      await page.getByLabel("Describe your agent").fill("Build an agent that can calculate");
      await page.getByRole("button", { name: "Build it" }).click();
      await page.getByRole("region", { name: "Proposed changes" }).getByText(/^Adds/).waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: "Accept all" }).waitFor();
    },
  },
];
