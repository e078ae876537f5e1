import { isJsonObject, type Json } from "../../json.ts";
import { daysIn, minutesIn, timesIn, withoutDays } from "./moments.ts";
import { meantParts, withoutQuotes } from "./meant-parts.ts";
import { relativeDaysIn } from "./relative-days.ts";
import { numbersIn } from "./said-numbers.ts";
import { comparable, isCommonplace, valueWords, wordsOf } from "./tokens.ts";

/** Longer values are nobody's choice of words. */
const maxValueWords = 200;

/** What a text says besides its words. */
interface Said {
  numbers: Set<number>;
  /** Those of them that do not count things. */
  amounts: Set<number>;
  percentages: Set<number>;
  /** As `2024-05-26`, or `--05-26` where no year was said. */
  days: Set<string>;
  /** As `13:05`. */
  times: Set<string>;
  /** In minutes. */
  durations: Set<number>;
}

/**
 * Everything that one side has put into a conversation, ready to be asked whether a value is in it. A value is found by whole
 * words, never by a part of one.
 */
export class KnownText {
  /** What came since somebody last asked: most of it is never asked for. */
  private waiting: { value: Json; at: number | undefined }[] = [];
  private readonly side: "person" | "another";
  private readonly texts: string[] = [];
  /** The words in their order, each in its forms, and where each form stands. */
  private readonly words: (readonly string[])[] = [];
  private readonly places = new Map<string, number[]>();
  private readonly numbers: Said = {
    numbers: new Set(),
    amounts: new Set(),
    percentages: new Set(),
    days: new Set(),
    times: new Set(),
    durations: new Set(),
  };

  /** Of a person's text it takes what he says himself and wants, and not what he quotes, excludes or denies. */
  constructor(side: "person" | "another" = "another") {
    this.side = side;
  }

  /** Takes the texts and numbers of a value, in their order. `at`: when it was written, in milliseconds since 1970. */
  add(value: Json, at?: number): void {
    this.waiting.push({ value, at });
  }

  /** The numbers and moments in it. */
  get said(): Readonly<Said> {
    this.read();
    return this.numbers;
  }

  /** Whether one of its texts matches. */
  matches(pattern: RegExp): boolean {
    this.read();
    return this.texts.some((text) => pattern.test(text));
  }

  /** Whether the words of a text stand here, one after the other. */
  holds(text: string): boolean {
    this.read();
    const wanted = valueWords(text).map(comparable);
    const [first] = wanted;
    if (first === undefined || wanted.length > maxValueWords || isCommonplace(wanted)) return false;
    // The 13 of June 13 is no number 13, nor is ~1200 the number 1200.
    if (wanted.length === 1 && /^\d+$/.test(first) && !this.numbers.numbers.has(Number(first))) return false;
    return (this.places.get(first) ?? []).some((place) =>
      wanted.every((word, index) => this.words[place + index]?.includes(word)),
    );
  }

  private read(): void {
    for (const { value, at } of this.waiting.splice(0)) this.take(value, at);
  }

  private take(value: Json, at: number | undefined): void {
    if (typeof value === "string") this.takeText(value, at);
    else if (typeof value === "number") {
      this.numbers.numbers.add(value);
      this.numbers.amounts.add(value);
    } else if (Array.isArray(value)) for (const item of value) this.take(item, at);
    else if (isJsonObject(value)) for (const item of Object.values(value)) this.take(item, at);
  }

  private takeText(text: string, at: number | undefined): void {
    const own = this.side === "person" ? withoutQuotes(text) : text;
    this.texts.push(own);
    for (const part of this.side === "person" ? meantParts(own) : [own]) {
      this.takePart(part);
      if (at !== undefined && this.side === "person")
        for (const day of relativeDaysIn(part, at)) this.numbers.days.add(day);
    }
  }

  private takePart(text: string): void {
    const { numbers, amounts, percentages, days, times, durations } = this.numbers;
    for (const forms of wordsOf(text)) {
      const keys = [...new Set(forms.map(comparable))];
      for (const key of keys) {
        const places = this.places.get(key);
        if (places) places.push(this.words.length);
        else this.places.set(key, [this.words.length]);
      }
      this.words.push(keys);
    }
    // So that no value is found across two texts.
    this.words.push([]);
    for (const minutes of minutesIn(text)) durations.add(minutes);
    if (!/\d/.test(text)) return;
    for (const { value, isPercentage, isCount } of numbersIn(withoutDays(text))) {
      numbers.add(value);
      if (isPercentage) percentages.add(value);
      if (!isCount) amounts.add(value);
    }
    for (const day of daysIn(text)) days.add(day);
    for (const time of timesIn(text)) times.add(time);
  }
}
