const syllables =
  "ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vo".split(
    " ",
  );
const common =
  "the of and to in a is that for it as was with be by on not this are or from at which one all been there when some more".split(
    " ",
  );
const vocabulary = 30_000;

/** Marsaglia's xorshift, 32 bits: the same seed gives the same texts in every run. */
function randomOf(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The word of a rank; frequent ones are short, as in a language. */
function wordAt(rank: number): string {
  const next = randomOf(rank * 7 + 3);
  const length = rank < 300 ? 2 : rank < 5_000 ? 3 : 4;
  return Array.from({ length }, () => syllables[Math.floor(next() * syllables.length)] ?? "").join("");
}

/** Texts of some 80 words in no language, their words spread as in one (a few often, most seldom). */
export function fillerTexts(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(start + n);
    const words = Array.from({ length: 60 + Math.floor(next() * 40) }, () => {
      if (next() < 0.4) return common[Math.floor(next() * common.length)] ?? "";
      return wordAt(Math.floor(vocabulary ** next()));
    });
    return `${words.join(" ")}.`;
  });
}
