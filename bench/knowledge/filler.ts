const syllables =
  "ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vo".split(
    " ",
  );
const common =
  "the of and to in a is that for it as was with be by on not this are or from at which one all been there when some more".split(
    " ",
  );
const vocabulary = 30_000;
const topics = 500;
const wordsPerTopic = 60;

/** Marsaglia's xorshift, 32 bits: the same seed gives the same numbers in every run. */
export function randomOf(seed: number): () => number {
  let state = ((seed + 1) * 2_654_435_761) | 0;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  // The first number of neighbouring seeds is much the same.
  next();
  return next;
}

/** The word of a rank; frequent ones are short, as in a language. */
function wordAt(rank: number): string {
  const next = randomOf(rank * 7 + 3);
  const length = rank < 300 ? 2 : rank < 5_000 ? 3 : 4;
  return Array.from({ length }, () => syllables[Math.floor(next() * syllables.length)] ?? "").join("");
}

const oneOf = <Item>(items: readonly Item[], share: number) => items[Math.floor(share * items.length)];

/** A word of a topic; its first ones come often. */
function topicWord(topic: number, share: number): string {
  const index = Math.floor(wordsPerTopic * share ** 1.7);
  return wordAt(300 + Math.floor(randomOf(topic * 1_000 + index)() * (vocabulary - 300)));
}

const topicAt = (share: number) => Math.floor(topics * share ** 1.5);

/**
 * Texts of some 80 words in no language, each about one of 500 topics (a few often): two fifths of its words are those
 * that every text has, two fifths are of its topic, the rest of all words (a few often). So their vectors lie as those of
 * documents do: normalised, in clusters of different sizes, with a direction that all share, no two the same.
 */
export function fillerTexts(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(start + n);
    const topic = topicAt(next());
    const words = Array.from({ length: 60 + Math.floor(next() * 40) }, () => {
      const kind = next();
      if (kind < 0.4) return oneOf(common, next()) ?? "";
      return kind < 0.8 ? topicWord(topic, next()) : wordAt(Math.floor(vocabulary ** next()));
    });
    return `${words.join(" ")}.`;
  });
}

/** Questions about topics of the filler, of eight words each. */
export function fillerQuestions(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(5_000_000 + n);
    const topic = topicAt(next());
    const words = Array.from({ length: 8 }, (_word, place) =>
      place % 3 === 0 ? (oneOf(common, next()) ?? "") : topicWord(topic, next()),
    );
    return `${words.join(" ")}?`;
  });
}
