import { randomOf } from "./filler.ts";

/** The CJK block begins here; that many letters are used, the first ones often. */
const firstLetter = 0x4e00;
const letters = 3_500;
const topics = 400;
const wordsPerTopic = 50;

const letterAt = (share: number) => String.fromCodePoint(firstLetter + (Math.floor(letters ** share * 5) % letters));

/** A word of a topic: two letters. */
function topicWord(topic: number, share: number): string {
  const next = randomOf(9_000_000 + topic * wordsPerTopic + Math.floor(wordsPerTopic * share ** 1.7));
  return String.fromCodePoint(firstLetter + Math.floor(next() * letters), firstLetter + Math.floor(next() * letters));
}

/** Texts of some 120 letters, two fifths of them words of one of 400 topics. */
export function chineseTexts(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(20_000_000 + start + n);
    const topic = Math.floor(topics * next() ** 1.5);
    const words = Array.from({ length: 60 + Math.floor(next() * 20) }, () => {
      const kind = next();
      if (kind < 0.4) return topicWord(topic, next());
      return kind < 0.95 ? letterAt(next()) + letterAt(next()) : "，";
    });
    return `${words.join("")}。`;
  });
}

/** Questions of twelve letters about topics of these texts. */
export function chineseQuestions(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(30_000_000 + n);
    const topic = Math.floor(topics * next() ** 1.5);
    const words = Array.from({ length: 6 }, (_word, place) =>
      place % 3 === 0 ? letterAt(next()) + letterAt(next()) : topicWord(topic, next()),
    );
    return `${words.join("")}？`;
  });
}
