/** Words for a day, by how many days after today it is: English, German, French, Spanish. */
const words: readonly [RegExp, number][] = [
  [/(?<!\p{L})(?:yesterday|gestern|hier|ayer)(?!\p{L})/iu, -1],
  [/(?<!\p{L})(?:today|tonight|heute|aujourd['’]hui|hoy)(?!\p{L})/iu, 0],
  [/(?<!\p{L})(?<!\bday\s+after\s+)(?:tomorrow|(?<!après-)demain)(?!\p{L})/iu, 1],
  [/(?<!\p{L})(?:the\s+day\s+after\s+tomorrow|übermorgen|après-demain|pasado\s+mañana)(?!\p{L})/iu, 2],
];

/** The days that a text names from the day on which it was written (`at`, ms since 1970), as `2024-05-26` where this runs. */
export function relativeDaysIn(text: string, at: number): string[] {
  return words.flatMap(([word, days]) => (word.test(text) ? [dayAt(at, days)] : []));
}

function dayAt(at: number, days: number): string {
  const day = new Date(at);
  day.setDate(day.getDate() + days);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
