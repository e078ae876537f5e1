import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * A screenshot in both themes, and no finding of axe-core that is serious or critical. Everything is checked once, the
 * contrast of colours in each theme; in the dark one on wide pages alone, since a phone's have the same colours.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Animations go on by frames; a picture makes the browser draw one.
    if ((await page.evaluate(transitionsEnd)).length > 0) await page.screenshot();
    expect(await page.evaluate(transitionsEnd), `${name}, ${colorScheme}: still moving`).toEqual([]);
    await page.screenshot({ path: `test-results/screens/${name}-${colorScheme}.png` });
    if (colorScheme === "dark" && (page.viewportSize()?.width ?? 0) < 640) continue;
    // In the page itself: it has no frames, for whose results a page of its own would be opened each time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules("color-contrast")).analyze();
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
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
