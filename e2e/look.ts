import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * A screenshot in both themes, and no finding of axe-core that is serious or critical. Everything is checked once, the
 * contrast of colours in each theme.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(transitionsEnd);
    await page.screenshot({ path: `test-results/screens/${name}-${colorScheme}.png` });
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules("color-contrast")).analyze();
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
    expect(serious, `${name}, ${colorScheme}`).toEqual([]);
  }
}

/** Runs in the page: colours of controls change in a moment of their own, and those that are inherited a frame later. */
async function transitionsEnd(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const running = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === "running" && effect?.getTiming().iterations !== Infinity);
    if (running.length > 0) quiet = -1;
    await Promise.allSettled(running.map(({ finished }) => finished));
  }
}
