import type { Json, JsonObject } from "../../src/engine/json.ts";
import type { Shape } from "./data-shape.ts";

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const texts = [
  "Ann Lee",
  "ann.lee@example.com",
  "",
  "  padded text ",
  "/start now",
  "URGENT: please call back asap!",
  "Re: Your order #1234 from 2026-02-03",
  "first line\nsecond line\n\nlast",
  "https://shop.example.com/items/42?v=abc&x=1",
  '```json\n{"a": 1}\n```',
  "Größe: 5 €, naïve café",
  "<p>Hello <b>you</b></p>",
  "42",
  "12,50",
  "a-b_c d",
  "😀 done",
  "vip",
  "true",
];
const dates = [
  "2026-01-31T12:34:56.789Z",
  "2025-12-01T00:00:00Z",
  "2026-05-05",
  "2026-03-29T01:30:00+01:00",
  "2024-02-29T23:59:59.000Z",
  "2026-05-05T09:15:00",
];

/** Data as an expression expects it, such as a workflow meets it: names, numbers, dates, lists of a few items. */
export class DataMaker {
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  private pick<One>(from: readonly One[]): One {
    const one = from[Math.floor(this.random() * from.length)];
    if (one === undefined) throw new Error("There is nothing to pick from.");
    return one;
  }

  value(shape: Shape, key: string): Json {
    const { uses, fields, values } = shape;
    if (values.size > 0 && this.random() < 0.5) return this.pick([...values]);
    if (uses.has("json")) return this.jsonText(shape);
    if (shape.element && (uses.has("list") || fields.size === 0)) return this.list(shape.element, key);
    if (fields.size > 0 || uses.has("record")) return this.record(shape);
    if (uses.has("sized") && uses.size === 1) {
      return this.random() < 0.5 ? this.text(key) : ["a", "b", "c"].slice(0, Math.floor(this.random() * 4));
    }
    if (uses.has("date")) return this.pick(dates);
    if (uses.has("number")) return uses.has("text") || this.random() < 0.15 ? this.numberText() : this.number(key);
    if (uses.has("text")) return this.text(key);
    return this.guess(key);
  }

  record(shape: Shape): JsonObject {
    const own = [...shape.fields].map(([name, inner]) => [name, this.value(inner, name)] as const);
    const more = shape.fields.size > 0 ? [["note", this.pick(texts)] as const] : this.pairs();
    return Object.fromEntries([...own, ...more]);
  }

  private pairs(): (readonly [string, Json])[] {
    return ["alpha", "beta", "gamma"]
      .slice(0, Math.floor(this.random() * 4))
      .map((name) => [name, this.number(name)] as const);
  }

  private list(element: Shape, key: string): Json[] {
    return Array.from({ length: Math.floor(this.random() * 5) }, () => this.value(element, key.replace(/s$/, "")));
  }

  private jsonText(shape: Shape): string {
    if (this.random() < 0.15) return "no {json}";
    return JSON.stringify(shape.parsed ? this.value(shape.parsed, "") : { a: 1, items: [{ id: 7 }] });
  }

  private number(key: string): number {
    if (/timestamp|millis/i.test(key)) return 1_760_000_000_000 + Math.floor(this.random() * 3e10);
    return this.pick([0, 1, 2, 3, 5, 7, 12, 25, 100, 1999, 86_400, -4, 0.5, 2.25, 19.99, 1234.5]);
  }

  private numberText(): string {
    return this.pick(["12.5", "7", "0", "150", "12,5", "abc", "", " 42 ", "1e3"]);
  }

  private text(key: string): string {
    if (/mail/i.test(key) && this.random() < 0.8)
      return this.pick(["Ann@Example.com", "bob@shop.example.org", "no-address"]);
    if (/url|link/i.test(key) && this.random() < 0.8)
      return this.pick(["https://shop.example.com/a/b?v=1", "http://example.org", "x"]);
    return this.pick(texts);
  }

  private guess(key: string): Json {
    if (/(_at|date|time|created|updated)$/i.test(key)) return this.pick(dates);
    if (/^day$/.test(key)) return this.pick(["31.01.2026", "01.12.2025", "no day"]);
    if (/id$|count|price|amount|total|number|score|quantity|code$/i.test(key)) return this.number(key);
    if (/^(is|has)[A-Z_]|active|enabled/.test(key)) return this.random() < 0.5;
    const roll = this.random();
    if (roll < 0.7) return this.text(key);
    if (roll < 0.85) return this.number(key);
    return roll < 0.93 ? this.random() < 0.5 : null;
  }
}

/** The data with a third of its fields left out, wherever they are. */
export function withGaps(value: Json, random: () => number): Json {
  if (Array.isArray(value)) return value.map((one) => withGaps(one, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random() >= 1 / 3)
      .map(([key, one]) => [key, withGaps(one, random)]),
  );
}
