import { isJsonObject, type Json } from "../../json.ts";

/**
 * What came from those whose words are no evidence: whether a value stands there says only what a question shows. So it is searched as
 * it stands, and nothing is prepared before somebody asks.
 */
export class Mentions {
  private readonly waiting: Json[] = [];
  /** The texts and numbers of each value that came, in small letters. */
  private readonly texts: string[] = [];

  add(value: Json): void {
    this.waiting.push(value);
  }

  holds(value: Json): boolean {
    const wanted = (typeof value === "string" ? value : JSON.stringify(value)).trim().toLowerCase();
    for (const brought of this.waiting.splice(0)) this.texts.push(textsIn(brought).join("\0").toLowerCase());
    return wanted !== "" && this.texts.some((text) => text.includes(wanted));
  }
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
