import type { Json } from "../../../engine/json.ts";

/** What a page may link to; undefined for everything else, such as `javascript:`. */
export function webAddress(value: Json | undefined): string | undefined {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : undefined;
}
