import { longestPin, mostPinned } from "./pin-limits.ts";
import type { ReviewedTool } from "./review-tools.ts";
import { textPin, toolPin } from "./tool-pin.ts";

type Pins = Readonly<Record<string, string>>;

/**
 * The pins once a person agreed to `chosen`, each as its server describes it now. Texts are kept while there is room; those
 * of tools that were agreed to before and have not changed are added, so that pins of hashes alone become whole over time.
 */
export function approveTools(
  pins: Pins,
  listed: readonly ReviewedTool[],
  chosen: readonly ReviewedTool[],
): Record<string, string> {
  const asBefore = listed.filter((one) => one.approval === "approved" && !chosen.includes(one));
  const renewed = [...chosen, ...asBefore].map(({ tool }) => tool);
  const names = new Set(renewed.map(({ name }) => name));
  let used = Object.entries(pins).reduce((sum, [name, pin]) => sum + (names.has(name) ? 0 : pin.length), 0);
  const next = renewed.map((tool): [string, string] => {
    const whole = textPin(tool);
    const pin = whole.length <= longestPin && used + whole.length <= mostPinned ? whole : toolPin(tool);
    used += pin.length;
    return [tool.name, pin];
  });
  return { ...pins, ...Object.fromEntries(next) };
}
