import { Buffer } from "node:buffer";

/**
 * A secret in one family of spellings: one unit per character, each with the ways in which that character may be written.
 * `exact` ones are compared as they are, `loose` ones (lower case) without regard to case.
 */
export type Needle = readonly Unit[];
interface Unit {
  exact: readonly string[];
  loose: readonly string[];
}

/** Where a needle ends when it begins at `start`; `partial`: the text ends before that can be told. */
export type Found = { end: number } | "partial" | undefined;

const named: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
/** An escape inside text that was escaped once or twice more, as in JSON inside JSON. */
const backslashes = ["\\", "\\\\", "\\\\\\\\"];

const mostKept = 256;

const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** Makes the unit of each of a few characters or bytes once. What is kept is an alphabet: it says nothing of a secret. */
function kept<Part extends string | number>(make: (part: Part, isFirst: boolean) => Unit): typeof make {
  const [first, later] = [new Map<Part, Unit>(), new Map<Part, Unit>()];
  return (part, isFirst) => {
    const units = isFirst ? first : later;
    const known = units.get(part);
    if (known) return known;
    const unit = make(part, isFirst);
    if (units.size < mostKept) units.set(part, unit);
    return unit;
  };
}

/** Percent-encoded, once, twice or three times. */
function percents(bytes: Buffer): string[] {
  return ["%", "%25", "%2525"].map((mark) => [...bytes].map((byte) => `${mark}${hexOf(byte, 2)}`).join(""));
}

const mixedUnit = kept((character: string): Unit => {
  const bytes = Buffer.from(character, "utf8");
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const exact = [character, bytes.toString("latin1")];
  const loose = [...percents(bytes), `&#${code};`, `&#x${hexOf(code, 1)};`, `&#x${hexOf(code, 4)};`, `&#0${code};`];
  for (const slashes of backslashes) {
    loose.push(units.map((unit) => `${slashes}u${hexOf(unit, 4)}`).join(""), `${slashes}u{${hexOf(code, 1)}}`);
    if (code < 256) loose.push(`${slashes}x${hexOf(code, 2)}`);
  }
  if (character === '"' || character === "/" || character === "'") {
    exact.push(`\\${character}`, `\\\\${character}`, `\\\\\\${character}`, `\\\\\\\\${character}`);
  }
  if (character === "\\") exact.push("\\\\", "\\\\\\\\");
  if (character === "\n") exact.push("\\n", "\\\\n");
  if (character === "\t") exact.push("\\t", "\\\\t");
  if (character === " ") exact.push("+");
  const name = named[character];
  if (name !== undefined) loose.push(`&${name};`, `&amp;${name};`);
  return { exact: [...new Set(exact)], loose };
});

const hexUnit = kept((byte: number, isFirst) => {
  const pair = hexOf(byte, 2);
  const apart = isFirst ? [] : [":", " ", "-", "\\x", "0x", ",0x", ", 0x"].map((mark) => `${mark}${pair}`);
  return { exact: [], loose: [pair, ...apart] };
});

/** A character of base64 or base64url, also where lines are broken before it. */
const base64Unit = kept((character: string, isFirst): Unit => {
  const plain =
    character === "+" ? ["+", "-", "%2B", "%2b"] : character === "/" ? ["/", "_", "\\/", "%2F", "%2f"] : [character];
  const breaks = isFirst ? [""] : ["", "\n", "\r\n", "\\n", "\\r\\n"];
  return { exact: breaks.flatMap((mark) => plain.map((each) => `${mark}${each}`)), loose: [] };
});

/**
 * The characters of base64 that depend on the secret alone when it starts `offset` bytes into what was encoded; those at
 * either end also depend on its neighbours and are left out.
 */
function base64Needle(bytes: Buffer, offset: number): Needle {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const core = whole.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
  // A core much shorter than the secret would match by chance.
  return core.length < 8 ? [] : unitsOf([...core], base64Unit);
}

function unitsOf<Part>(parts: readonly Part[], unitOf: (part: Part, isFirst: boolean) => Unit): Needle {
  return parts.map((part, index) => unitOf(part, index === 0));
}

/** A secret character by character, each as it is or escaped for URLs, JSON, JavaScript or HTML; in hex; in base64. */
export function needlesOf(secret: string): Needle[] {
  const bytes = Buffer.from(secret, "utf8");
  const plain = unitsOf([...secret], (character) => mixedUnit(character, false));
  const needles = [plain, unitsOf([...bytes], hexUnit), ...[0, 1, 2].map((at) => base64Needle(bytes, at))];
  return needles.filter((needle) => needle.length > 0);
}

/** The characters with which a needle may begin, in either case. */
export function firstCharacters(needle: Needle): Set<number> {
  const [{ exact, loose } = { exact: [], loose: [] }] = needle;
  const starts = [...exact, ...loose, ...loose.map((each) => each.toUpperCase())];
  return new Set(starts.map((each) => each.charCodeAt(0)));
}

/** Matches a needle at a place; `lower` is the text in lower case. Time grows with the needle, not with the ways to read it. */
export function matchAt(text: string, lower: string, start: number, needle: Needle): Found {
  let places = [start];
  let partial = false;
  for (const { exact, loose } of needle) {
    const next = new Set<number>();
    for (const place of places) {
      for (const [from, ways] of [
        [text, exact],
        [lower, loose],
      ] as const) {
        for (const way of ways) {
          if (from.startsWith(way, place)) next.add(place + way.length);
          else if (place + way.length > text.length && way.startsWith(from.slice(place))) partial = true;
        }
      }
    }
    places = [...next];
    if (places.length === 0) return partial ? "partial" : undefined;
  }
  return { end: Math.max(...places) };
}
