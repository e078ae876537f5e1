import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * A screenshot in both themes, and no finding of axe-core that is serious or critical. Everything is checked once, the
 * contrast of colours in each theme.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours of controls change in a moment of their own, and inherited ones a frame later.
    await page.waitForTimeout(150);
    await page.screenshot({ path: `test-results/screens/${name}-${colorScheme}.png` });
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules("color-contrast")).analyze();
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
    expect(serious, `${name}, ${colorScheme}`).toEqual([]);
  }
}
