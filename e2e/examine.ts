import type { Page } from "@playwright/test";
import axe from "axe-core";

/** A finding of axe-core: its rule, how serious it is, and the beginning of each element that breaks it. */
export interface Finding {
  id: string;
  impact: string;
  elements: string[];
}

interface Examined {
  /** A CSS selector of what is examined; the whole page when absent. */
  within?: string;
  /** The rules to examine by; all of axe-core's when absent. */
  rules?: readonly string[];
}

/** What axe-core finds on a page. It is put there once, and reads no style sheets anew, which no rule here needs. */
export async function examine(page: Page, { within, rules }: Examined = {}): Promise<Finding[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ within, rules }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(within ?? document, {
        preload: false,
        resultTypes: ["violations"],
        selectors: false,
        rules: { "css-orientation-lock": { enabled: false } },
        ...(rules ? { runOnly: [...rules] } : {}),
      });
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? "",
        elements: nodes.map(({ html }) => html.slice(0, 160)),
      }));
    },
    { within, rules },
  );
}
