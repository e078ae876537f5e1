/** Numbers per vector, as most paid models give. */
export const wide = 1536;
const latent = 192;
const topics = 400;

/** Marsaglia's xorshift, 32 bits: the same seed gives the same numbers in every run. */
function randomOf(seed: number): () => number {
  let state = ((seed + 1) * 2_654_435_761) | 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 4; warm += 1) next();
  return next;
}

/** About normal: the sum of four even ones, with a variance of one. */
const bell = (next: () => number) => (next() + next() + next() + next() - 2) * Math.sqrt(3);

let basis: Float32Array[] | undefined;
const basisRows = (): Float32Array[] =>
  (basis ??= Array.from({ length: latent + 1 }, (_, row) => {
    const next = randomOf(9_000_000 + row);
    return Float32Array.from({ length: wide }, () => bell(next));
  }));

/** How much each hidden direction counts: few of them carry most of what a text is about. */
const weight = (direction: number) => 1 / Math.sqrt(1 + direction / 8);

/**
 * Vectors that lie as those of a model for texts do: of length one, around topics of different sizes and their parts, spread
 * over some hundred directions of unequal weight, with a direction that all share and a little that is each one's own.
 */
export function wideVectors(start: number, count: number): Float32Array[] {
  const rows = basisRows();
  return Array.from({ length: count }, (_, n) => {
    const next = randomOf(start + n);
    const topic = Math.floor(topics * next() ** 1.5);
    const ofTopic = randomOf(20_000_000 + topic);
    const ofPart = randomOf(30_000_000 + topic * 64 + Math.floor(next() * 24));
    const vector = new Float32Array(wide);
    for (let direction = 0; direction < latent; direction += 1) {
      const share = (bell(ofTopic) + 0.7 * bell(ofPart) + 0.6 * bell(next)) * weight(direction);
      const row = rows[direction] ?? vector;
      for (let place = 0; place < wide; place += 1) vector[place] = (vector[place] ?? 0) + share * (row[place] ?? 0);
    }
    const shared = rows[latent] ?? vector;
    let squares = 0;
    for (let place = 0; place < wide; place += 1) {
      const value = (vector[place] ?? 0) + 2 * (shared[place] ?? 0) + 0.8 * bell(next);
      vector[place] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    return vector.map((value) => value / length);
  });
}
