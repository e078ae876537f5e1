import type { Page } from "@playwright/test";
import { enterAsGuest, expect, test } from "./fixtures.ts";

/** Lets every script of the site but the first small one wait until the function that it gives is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}

const shell = (page: Page) => page.locator("#sign-in-shell");

/** Where the words and controls of the visible page stand, in whole pixels; words alone, by their lines. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, p, label, button, input)")]
      .filter(
        (element) => element.getClientRects().length > 0 && element.closest("[aria-hidden] [aria-hidden]") === null,
      )
      .filter((element) => element.closest("main > [aria-hidden]") === null)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const isText = element.childElementCount === 0 && getComputedStyle(element).textAlign !== "center";
        const size = isText ? [Math.round(height)] : [Math.round(width), Math.round(height)];
        return [element.tagName, element.textContent, Math.round(x), Math.round(y), ...size].join(" ");
      }),
  );

for (const { name, size } of [
  { name: "a desktop", size: { width: 1_440, height: 900 } },
  { name: "a phone", size: { width: 390, height: 844 } },
]) {
  test(`the sign-in page is there before its script, on ${name}, and stays where it is`, async ({ page }) => {
    await page.setViewportSize(size);
    const arrive = await holdScripts(page);
    await page.goto("/", { waitUntil: "commit" });
    await expect(shell(page).getByText("Continue as guest")).toBeVisible();
    // What cannot be used yet is not offered to the keyboard or a screen reader.
    await expect(page.getByRole("button")).toHaveCount(0);
    // Before its fonts are asked for, a page has none to wait for; those that stand in for Inter are there before it.
    const isLoaded = () =>
      [...document.fonts].some(({ family, status }) => family.includes("Inter Variable") && status === "loaded");
    await expect.poll(() => page.evaluate(isLoaded)).toBe(true);
    await page.evaluate(() => document.fonts.ready);
    const before = await places(page);
    arrive();
    await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();
    await expect(shell(page)).toHaveCount(0);
    expect(before.length).toBeGreaterThan(8);
    expect(await places(page)).toEqual(before);
  });
}

/** How far the run of the landing's picture that can be seen has come. */
const playedRun = (page: Page) =>
  page.evaluate(() => {
    const pictures = [...document.querySelectorAll<HTMLElement>("[data-picture]")];
    const seen = pictures.find((picture) => picture.getClientRects().length > 0);
    return {
      icons: seen?.querySelectorAll("svg svg").length ?? 0,
      passed: Number.parseInt(seen?.style.getPropertyValue("--passed") ?? "", 10),
      moves: seen?.getAnimations({ subtree: true }).length ?? 0,
    };
  });

for (const { name, size } of [
  { name: "a desktop", size: { width: 1_440, height: 900 } },
  { name: "a phone", size: { width: 390, height: 844 } },
]) {
  test(`the landing's picture plays its run once from the first paint on, on ${name}`, async ({ page }) => {
    await page.setViewportSize(size);
    const arrive = await holdScripts(page);
    await page.goto("/", { waitUntil: "commit" });
    await expect(shell(page).getByText("Calculator")).toBeVisible();
    expect(await playedRun(page)).toMatchObject({ icons: 5, passed: 0 });
    expect((await playedRun(page)).moves).toBeGreaterThan(0);
    arrive();
    await expect(shell(page)).toHaveCount(0);
    // The page goes on where the first paint was.
    const after = await playedRun(page);
    expect(after.icons).toBe(5);
    expect(after.passed).toBeGreaterThan(0);
    expect(after.moves).toBeGreaterThan(0);
  });
}

test("the landing's picture stands at the end of its run for who wants no motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Continue as guest" })).toBeVisible();
  expect(await playedRun(page)).toMatchObject({ icons: 5, moves: 0 });
  await expect(page.locator(".run-arrival").first()).toHaveCSS("opacity", "1");
});

test("a chosen theme holds from the first paint on", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.addInitScript(() => localStorage.setItem("switchyard:theme", "dark"));
  const arrive = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  const surface = shell(page).locator(".bg-surface").first();
  await expect(surface).toHaveCSS("background-color", "rgb(21, 26, 33)");
  arrive();
});

test("who is signed in or follows a link does not see the sign-in page first", async ({ page }) => {
  await page.goto("/#reset=not-a-token");
  await expect(page.getByRole("button", { name: "Set password and sign in" })).toBeVisible();
  const followed = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(shell(page)).toBeAttached();
  await expect(shell(page)).toBeHidden();
  followed();
  await expect(page.getByRole("button", { name: "Set password and sign in" })).toBeVisible();
  await page.unrouteAll();
  await page.goto("about:blank");
  await enterAsGuest(page);
  const signedIn = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(shell(page)).toBeAttached();
  await expect(shell(page)).toBeHidden();
  // A turning ring says that the page is on its way.
  const ring = () => page.locator("#root").evaluate((root) => getComputedStyle(root, "::before").animationName);
  expect(await ring()).toBe("spinner-turn, spinner-appear");
  signedIn();
});

test("what fails at the start is said in place of the first paint", async ({ page }) => {
  await page.route(/\/assets\/account-pages-[^/]+\.js$/, (route) => route.abort());
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Reload the page" })).toBeVisible();
  await expect(shell(page)).toHaveCount(0);
});
