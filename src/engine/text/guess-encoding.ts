/** An encoding that texts without a name of theirs may be in, and how likely each byte beyond ASCII is in it. */
interface Encoding {
  /** As `TextDecoder` knows it. */
  label: string;
  /** How common it is among files that are not UTF-8, beside the others. */
  prior: number;
  /** Of single bytes, or of the first bytes of two: from, to, and how much of a text they are. */
  rows: readonly (readonly [from: number, to: number, share: number])[];
  /** Two bytes a letter, and how low the second one is in letters of every day. */
  pairs?: { secondFrom: number };
  /** Its words are written in Latin letters, with some of others among them, which begin there; signs stand before them. */
  lettersFrom?: number;
  /** Its small letters, where capitals are in the same place elsewhere. */
  small?: readonly [from: number, to: number];
}

/**
 * The letters of every day stand together in each of these: GB 2312 level 1, Big5 level 1, JIS X 0208 kana and level 1, KS X 1001
 * Hangul; the tables are those of https://encoding.spec.whatwg.org/#indexes. Shares are of usual texts, roughly.
 */
const encodings: readonly Encoding[] = [
  {
    label: "windows-1252",
    prior: 1,
    lettersFrom: 0xc0,
    rows: [
      [0x80, 0x9f, 0.1],
      [0xa1, 0xa1, 0.02],
      [0xbf, 0xbf, 0.02],
      [0xa0, 0xbe, 0.05],
      [0xc0, 0xdf, 0.15],
      [0xe0, 0xff, 0.7],
    ],
  },
  {
    label: "windows-1250",
    prior: 0.01,
    lettersFrom: 0x8a,
    rows: [
      [0x8a, 0x8f, 0.02],
      [0x9a, 0x9f, 0.2],
      [0xa3, 0xa5, 0.02],
      [0xaa, 0xaf, 0.02],
      [0xb3, 0xb3, 0.1],
      [0xb9, 0xb9, 0.08],
      [0xba, 0xbe, 0.04],
      [0xbf, 0xbf, 0.03],
      [0xc0, 0xdf, 0.1],
      [0xe0, 0xff, 0.4],
    ],
  },
  {
    label: "windows-1251",
    prior: 0.3,
    small: [0xe0, 0xff],
    rows: [
      [0xa5, 0xbf, 0.02],
      [0xc0, 0xdf, 0.18],
      [0xe0, 0xff, 0.8],
    ],
  },
  {
    label: "windows-1253",
    prior: 0.01,
    small: [0xdc, 0xfe],
    rows: [
      [0xc1, 0xd9, 0.1],
      [0xdc, 0xfe, 0.9],
    ],
  },
  { label: "windows-1255", prior: 0.0001, rows: [[0xe0, 0xfa, 1]] },
  {
    label: "windows-1256",
    prior: 0.001,
    rows: [
      [0xc1, 0xdf, 0.5],
      [0xe1, 0xed, 0.5],
    ],
  },
  {
    label: "windows-874",
    prior: 0.001,
    rows: [
      [0xa1, 0xcf, 0.6],
      [0xd0, 0xda, 0.25],
      [0xe0, 0xee, 0.15],
    ],
  },
  {
    label: "gb18030",
    prior: 0.3,
    pairs: { secondFrom: 0xa1 },
    rows: [
      [0xa1, 0xa3, 0.08],
      [0xb0, 0xd7, 0.92],
    ],
  },
  {
    label: "big5",
    prior: 0.1,
    pairs: { secondFrom: 0x40 },
    rows: [
      [0xa1, 0xa2, 0.08],
      [0xa4, 0xc6, 0.92],
    ],
  },
  {
    label: "shift_jis",
    prior: 0.3,
    pairs: { secondFrom: 0x40 },
    rows: [
      [0x81, 0x81, 0.1],
      [0x82, 0x83, 0.5],
      [0x88, 0x97, 0.4],
    ],
  },
  {
    label: "euc-jp",
    prior: 0.01,
    pairs: { secondFrom: 0xa1 },
    rows: [
      [0xa1, 0xa1, 0.1],
      [0xa4, 0xa5, 0.5],
      [0xb0, 0xcf, 0.4],
    ],
  },
  {
    label: "euc-kr",
    prior: 0.2,
    pairs: { secondFrom: 0xa1 },
    rows: [
      [0xa1, 0xa3, 0.04],
      [0xb0, 0xc8, 0.96],
    ],
  },
];

/** Bytes that are looked at; more say nothing new. */
const enough = 20_000;
/** What a letter costs that hardly anybody writes there; logarithms of probabilities. */
const unusual = Math.log(1e-6);
const misplaced = Math.log(0.02);
const ascii = Math.log(1 / 40);

/**
 * The most likely encoding of a text that is neither UTF-8 nor UTF-16, by which of its bytes follow each other: right from two or
 * three letters on in Chinese, Japanese and Korean, from a word on elsewhere. Windows-1252 where nothing is likelier.
 */
export function guessEncoding(bytes: Uint8Array, { truncated = false } = {}): string {
  const sample = bytes.subarray(0, enough);
  const cut = truncated || sample.length < bytes.length;
  let best = { label: "windows-1252", likelihood: -Infinity };
  for (const encoding of encodings) {
    // A runtime without all of ICU knows fewer encodings.
    if (!fits(encoding.pairs ? sample : sample.subarray(0, 0), encoding.label, cut)) continue;
    const likelihood =
      Math.log(encoding.prior) + (encoding.pairs ? ofPairs(sample, encoding) : ofBytes(sample, encoding));
    if (likelihood > best.likelihood) best = { label: encoding.label, likelihood };
  }
  return best.label;
}

function fits(bytes: Uint8Array, label: string, cut: boolean): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}

function ofPairs(bytes: Uint8Array, { rows, pairs, label }: Encoding): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      sum += ascii;
      continue;
    }
    // Half-width kana are one byte each, and several make a word.
    if (label === "shift_jis" && byte >= 0xa1 && byte <= 0xdf) {
      const alone = (bytes[at - 1] ?? 0) < 0x80 && (bytes[at + 1] ?? 0) < 0x80;
      sum += Math.log(0.2 / 63) + (alone ? misplaced : 0);
      continue;
    }
    const second = bytes[(at += 1)];
    // Cut off; a text that ends so by itself was refused before.
    if (second === undefined) break;
    const row = second < (pairs?.secondFrom ?? 0) ? undefined : rowOf(rows, byte);
    // Two rows of kana are half empty.
    sum += row === undefined ? unusual * 2 : Math.log(row[2] / ((row[1] - row[0] + 1) * (second < 0x80 ? 157 : 94)));
  }
  return sum;
}

function ofBytes(bytes: Uint8Array, { rows, lettersFrom, small }: Encoding): number {
  let sum = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) {
      sum += ascii;
      continue;
    }
    const row = rowOf(rows, byte);
    sum += row === undefined ? unusual : Math.log(row[2] / (row[1] - row[0] + 1));
    const [before = 0, after = 0] = [bytes[at - 1], bytes[at + 1]];
    const beside = Number(isLetter(before)) + Number(isLetter(after));
    if (lettersFrom === undefined ? beside > 0 : before >= 0xc0 && byte >= 0xc0) sum += misplaced;
    // A sign within a word; the apostrophe, the soft hyphen and the middle dot are at home there.
    if (byte < (lettersFrom ?? 0) && beside === 2 && ![0x92, 0xad, 0xb7].includes(byte)) sum += misplaced;
    if (small && isWithin(before, small) && byte >= 0xc0 && !isWithin(byte, small)) sum += misplaced;
  }
  return sum;
}

const rowOf = (rows: Encoding["rows"], byte: number) => rows.find(([from, to]) => byte >= from && byte <= to);
const isWithin = (byte: number, [from, to]: readonly [number, number]) => byte >= from && byte <= to;
const isLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
