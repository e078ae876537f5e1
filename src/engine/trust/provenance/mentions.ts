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

/** Into one list, since a result may have many thousands of members. */
function textsIn(value: Json, found: string[] = []): readonly string[] {
  if (typeof value === "string") found.push(value);
  else if (typeof value === "number") found.push(String(value));
  else if (Array.isArray(value)) for (const item of value) textsIn(item, found);
  else if (isJsonObject(value)) for (const item of Object.values(value)) textsIn(item, found);
  return found;
}
