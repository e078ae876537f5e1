import type { AllowedValue } from "../../engine/trust/allowed-values.ts";
import { visibleName } from "../../engine/text/visible-name.ts";

/** An argument by its names: `message.to`, whatever the place in a list. */
export function pathWords(path: AllowedValue["path"]): string {
  return visibleName(path.filter((step) => step !== null).join("."));
}
