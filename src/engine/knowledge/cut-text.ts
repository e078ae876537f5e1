import { estimateTokens } from "../model/estimate-tokens.ts";
import type { Chunking } from "./chunking.ts";

/** A sentence, a line, the row of a table or a part of one of these, with the white space after it. */
interface Atom {
  text: string;
  tokens: number;
  /** An empty line follows. */
  endsParagraph: boolean;
}

/** A line of cells, or up to the end of a sentence with its closing quotes, a full-width stop, or a line break. */
const sentence =
  /(?<![^\n])[^\n]{0,2000} \| [^\n]*(?:\r?\n)*|[\s\S]+?(?:[.!?]+["'”’)\]]*[ \t]+|[。！？]+|(?:[ \t]*\r?\n)+|$)/g;

/** How much of a chunk must be filled before an end of paragraph is taken for its end. */
const fullEnough = 0.6;

/**
 * Cuts a text into pieces of at most `size` estimated tokens: at the end of a paragraph where one is near, else of a
 * sentence, a word, a character. Each piece begins with the last whole sentences of the one before, up to `overlap`
 * tokens. White space around pieces is left out.
 */
export function* cutText(text: string, { size, overlap }: Pick<Chunking, "size" | "overlap">): Generator<string> {
  let atoms: Atom[] = [];
  let tokens = 0;
  /** Atoms at the start that the piece before has already. */
  let repeated = 0;

  for (const atom of atomsOf(text, size)) {
    if (tokens + atom.tokens > size && atoms.length > repeated) {
      const end = bestEnd(atoms, repeated, size);
      yield joined(atoms.slice(0, end));
      const rest = atoms.slice(end);
      const tail = tailOf(atoms.slice(0, end), Math.min(overlap, size - tokensOf(rest) - atom.tokens));
      atoms = [...tail, ...rest];
      repeated = tail.length;
      tokens = tokensOf(atoms);
    }
    atoms.push(atom);
    tokens += atom.tokens;
  }
  const last = joined(atoms);
  if (atoms.length > repeated && last !== "") yield last;
}

function* atomsOf(text: string, size: number): Generator<Atom> {
  for (const [part] of text.matchAll(sentence)) {
    const tokens = estimateTokens(part);
    if (tokens <= size) yield { text: part, tokens, endsParagraph: /\n\s*\n/.test(part) };
    else yield* words(part, size);
  }
}

/** A sentence that is too long, in parts of `size` tokens: between words, or anywhere where there is no space. */
function* words(text: string, size: number): Generator<Atom> {
  let part = "";
  // The white space before the first word is kept: a piece is a part of the text as it stands there.
  for (const [word] of text.matchAll(/^\s+|\S{1,400}\s*/gu)) {
    for (const piece of pieces(word, size)) {
      if (part !== "" && estimateTokens(part + piece) > size) {
        yield { text: part, tokens: estimateTokens(part), endsParagraph: false };
        part = "";
      }
      part += piece;
    }
  }
  if (part !== "") yield { text: part, tokens: estimateTokens(part), endsParagraph: false };
}

function pieces(word: string, size: number): string[] {
  if (estimateTokens(word) <= size) return [word];
  const characters = [...word];
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}

function bestEnd(atoms: readonly Atom[], repeated: number, size: number): number {
  let tokens = 0;
  let end = atoms.length;
  atoms.forEach((atom, index) => {
    tokens += atom.tokens;
    if (atom.endsParagraph && index >= repeated && tokens >= size * fullEnough) end = index + 1;
  });
  return end;
}

function tailOf(atoms: readonly Atom[], overlap: number): Atom[] {
  const tail: Atom[] = [];
  let tokens = 0;
  for (const atom of atoms.toReversed()) {
    tokens += atom.tokens;
    if (tokens > overlap) break;
    tail.unshift(atom);
  }
  // A piece that repeats all of the one before would say nothing new.
  return tail.length === atoms.length ? tail.slice(1) : tail;
}

function tokensOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.tokens, 0);
}

function joined(atoms: readonly Atom[]): string {
  return atoms
    .map((atom) => atom.text)
    .join("")
    .trim();
}
