import { longestPin, mostPinned } from "./pin-limits.ts";
import type { ReviewedTool } from "./review-tools.ts";
import { type McpTool, textPin, toolPin } from "./tool-pin.ts";

type Pins = Readonly<Record<string, string>>;

/** An interface that came after the approval was not part of it. */
function agreedPart({ tool, appApproved }: ReviewedTool): McpTool {
  if (appApproved) return tool;
  const { app: _app, ...without } = tool;
  return without;
}

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
  const renewed = [...chosen.map(({ tool }) => tool), ...asBefore.map(agreedPart)];
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
