import type { Json } from "../../json.ts";
import { addressesIn } from "./addresses.ts";

/** Arguments that lead a request somewhere. */
const addressArgument =
  /^(?:(?:url|uri|href|link|host|hostname|domain|endpoint|webhook|web_?page|site|website)s?|src)$|(?:_|[a-z])(?:url|Url|URL)s?$/i;

/** A value that leads somewhere whatever its argument is called: with a scheme, beginning with a host, or put behind one. */
const leading = /:[\\/]{2}|^\s*(?:(?:https?|ftp|wss?|data|file|mailto):|[\\/]{2}|@[^\s@]+\.|www\.)/i;

/** Whether the value of an argument of this name leads a request somewhere. */
export function leadsSomewhere(name: string, value: Json): boolean {
  if (typeof value !== "string") return false;
  const text = value.trim();
  return addressArgument.test(name) || leading.test(value) || (text.includes("/") && isWholeAddress(text));
}

/** Whether a text is one address and nothing else. */
export function isWholeAddress(text: string): boolean {
  return addressesIn(text).includes(text);
}
