import { isJsonObject, type Json } from "../../json.ts";

/**
 * What came from those whose words are no evidence: whether a value stands there says only what a question shows. So it is searched as
 * it stands, and nothing is prepared before somebody asks.
 */
export class Mentions {
  private readonly waiting: Json[] = [];
  /** All texts and numbers, in small letters. */
  private readonly texts: string[] = [];

  add(value: Json): void {
    this.waiting.push(value);
  }

  holds(value: Json): boolean {
    const wanted = (typeof value === "string" ? value : JSON.stringify(value)).trim().toLowerCase();
    for (const brought of this.waiting.splice(0)) this.take(brought);
    return wanted !== "" && this.texts.some((text) => text.includes(wanted));
  }

  private take(value: Json): void {
    if (typeof value === "string") this.texts.push(value.toLowerCase());
    else if (typeof value === "number") this.texts.push(String(value));
    else if (Array.isArray(value)) for (const item of value) this.take(item);
    else if (isJsonObject(value)) for (const item of Object.values(value)) this.take(item);
  }
}
