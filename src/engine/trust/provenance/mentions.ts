import { isJsonObject, type Json } from "../../json.ts";

/**
 * What came from those whose words are no evidence: whether a value stands there says only what a question shows. So it is searched as
 * it stands, and nothing is prepared before somebody asks.
 */
export class Mentions {
  private waiting: Json[] = [];
  /** All texts and numbers, in small letters. */
  private text = "";

  add(value: Json): void {
    this.waiting.push(value);
  }

  holds(value: Json): boolean {
    const wanted = (typeof value === "string" ? value : JSON.stringify(value)).trim().toLowerCase();
    if (this.waiting.length > 0) {
      this.text += `\n${this.waiting.flatMap(textsIn).join("\n").toLowerCase()}`;
      this.waiting = [];
    }
    return wanted !== "" && this.text.includes(wanted);
  }
}

function textsIn(value: Json): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.flatMap(textsIn);
}
