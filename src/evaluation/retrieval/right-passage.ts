/** A passage that a search has to find. It names words of a document, so that it outlives another chunking. */
export interface RightPassage {
  /** The document's name. */
  document: string;
  /** Words as they stand there. */
  quote: string;
}

/** A passage as a search gives it. */
export interface FoundPassage {
  document: string;
  content: string;
}

/** Characters of a quote. */
export const maxQuote = 2_000;

/** Characters that a quote needs, not counting spaces, so that it does not stand in many places. */
export const minQuote = 8;

/** Shorter halves stand in too many places to say anything. */
const minHalf = 20;

/** A text without what readers of documents change: spaces, line breaks and the case of letters. */
const bare = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");

/** Whether a quote is long enough and stands in a text, whatever its spaces and its case. */
export function isQuoteOf(text: string, quote: string): boolean {
  const words = bare(quote);
  return words.length >= minQuote && bare(text).includes(words);
}

/**
 * Whether a passage that was found is the right one: of the same document, with the whole quote, or with its first or second half where
 * it is cut in two, or from the middle of a longer quote.
 */
export function isRight({ document, content }: FoundPassage, right: RightPassage): boolean {
  if (document !== right.document) return false;
  const found = bare(content);
  const quote = bare(right.quote);
  if (quote === "" || found === "") return false;
  if (found.includes(quote) || (found.length >= minHalf && quote.includes(found))) return true;
  const middle = Math.ceil(quote.length / 2);
  const halves = [quote.slice(0, middle), quote.slice(middle)];
  return halves.some((half) => half.length >= minHalf && found.includes(half));
}

/** The rank of each right passage, from 1; null where it was not found. */
export function ranksOf(found: readonly FoundPassage[], right: readonly RightPassage[]): (number | null)[] {
  return right.map((passage) => {
    const at = found.findIndex((each) => isRight(each, passage));
    return at < 0 ? null : at + 1;
  });
}
