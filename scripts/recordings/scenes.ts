import type { Page } from "playwright-core";
import { Hand } from "./hand.ts";

/** From the sign-in page to the first answer. */
export async function firstAnswer(page: Page): Promise<void> {
  const hand = new Hand(page);
  await page.waitForTimeout(300);
  await hand.click(page.getByRole("button", { name: "Continue as guest" }));
  await hand.click(page.getByRole("button", { name: "New workflow" }).first());
  const gallery = page.getByRole("dialog", { name: "New workflow" });
  await hand.click(gallery.getByRole("button", { name: /^Ask with tools/ }));
  await hand.click(gallery.getByRole("button", { name: "Use this template" }));
  await hand.click(page.getByRole("button", { name: "Test", exact: true }));
  await hand.click(page.getByRole("textbox", { name: "Message", exact: true }));
  await hand.type("What is 12.5% of 480?");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText(/60/).first().waitFor();
  await page.waitForTimeout(1500);
}

/** The run that was just made, gone through moment by moment, with what each showed at that time. */
export async function replay(page: Page): Promise<void> {
  const hand = new Hand(page);
  await hand.click(page.getByRole("link", { name: "Runs", exact: true }));
  await hand.click(page.getByRole("list", { name: "Stored runs" }).getByRole("link").first());
  const position = page.getByRole("slider", { name: "Position in the run" });
  await position.waitFor();
  await page.waitForTimeout(800);
  await page.keyboard.press("Home");
  await page.waitForTimeout(500);
  await hand.click(page.getByRole("button", { name: "Play" }));
  await page.waitForTimeout(3000);
  await hand.click(page.getByRole("listbox", { name: "Steps" }).getByRole("option", { name: /^calculator/i }));
  await page.waitForTimeout(1800);
}
