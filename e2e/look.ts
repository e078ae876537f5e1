import { expect, type Page } from "@playwright/test";
import { examine } from "./examine.ts";

/** Whether somebody wants to see the pages. A picture in each theme takes longer than what is checked there. */
const screenshotsWanted = Boolean(process.env.SCREENSHOTS);

/**
 * No finding of axe-core that is serious or critical. Everything is checked in the light theme; `both` also checks the
 * contrast of the dark one's colours, which are the same on every page. With SCREENSHOTS=1, pictures of both themes in
 * `test-results/screens`.
 */
export async function look(page: Page, name: string, { both = false } = {}): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const isChecked = colorScheme === "light" || both;
    if (!isChecked && !screenshotsWanted) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Animations go on by frames; a picture makes the browser draw one.
    if ((await page.evaluate(transitionsEnd)).length > 0) await page.screenshot();
    expect(await page.evaluate(transitionsEnd), `${name}, ${colorScheme}: still moving`).toEqual([]);
    if (screenshotsWanted) await page.screenshot({ path: `test-results/screens/${name}-${colorScheme}.png` });
    if (!isChecked) continue;
    const found = await examine(page, colorScheme === "dark" ? { rules: ["color-contrast"] } : {});
    const serious = found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, elements }) => `${id}: ${elements.join(" | ")}`);
    expect(serious, `${name}, ${colorScheme}`).toEqual([]);
  }
}

/**
 * Runs in the page: colours of controls change in a moment of their own, and those that are inherited a frame later.
 * Gives what still moved after 10 s, such as an animation in a part that the browser does not draw.
 */
async function transitionsEnd(): Promise<string[]> {
  const moving = (): Animation[] =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === "running" && effect?.getTiming().iterations !== Infinity);
  const deadline = performance.now() + 10_000;
  for (let quiet = 0; quiet < 3; quiet += 1) {
    // A page that draws nothing new may not be given a frame at all.
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 250);
    });
    if (moving().length === 0) continue;
    if (performance.now() > deadline) break;
    quiet = -1;
  }
  return moving().map(({ effect, id }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return `${id} ${target?.outerHTML.slice(0, 160) ?? ""}`;
  });
}
