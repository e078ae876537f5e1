const words: readonly [RegExp, string][] = [
  [/\b(?:the )?square root of (\d+(?:\.\d+)?)/gi, "sqrt($1)"],
  [/(\d+(?:\.\d+)?)\s*(?:%|percent) of (\d+(?:\.\d+)?)/gi, "$1 / 100 * $2"],
  [/(?<=\d\)?)\s+(?:times|multiplied by)\s+(?=[\d(-])/gi, " * "],
  [/(?<=\d\)?)\s+(?:divided by|over)\s+(?=[\d(-])/gi, " / "],
  [/(?<=\d\)?)\s+plus\s+(?=[\d(-])/gi, " + "],
  [/(?<=\d\)?)\s+minus\s+(?=[\d(-])/gi, " - "],
  [/(?<=\d\)?)\s+to the power of\s+(?=[\d(-])/gi, " ^ "],
  [/(?<=\d)\s*[x×·]\s*(?=[\d(])/gi, " * "],
  [/÷/g, "/"],
  [/−/g, "-"],
];

const call = String.raw`(?:sqrt|abs|sin|cos|tan|ln|log|exp|round|floor|ceil)\s*\(`;
const operand = String.raw`(?:${call}|\()*\s*-?\s*(?:${call}|\()*\s*\d+(?:\.\d+)?\s*\)*`;
const expression = new RegExp(String.raw`${operand}(?:\s*[-+*/^%]\s*${operand})+`, "i");
const lonely = new RegExp(String.raw`${call}\s*-?\d+(?:\.\d+)?\s*\)`, "i");

/** The first arithmetic expression in a text, ready for a calculator; URLs, dates and thousands commas are minded. */
export function findArithmetic(text: string): string | undefined {
  let plain = text
    .slice(0, 4_000)
    .replace(/https?:\/\/\S+/gi, " ")
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, " ")
    .replace(/(?<=\d),(?=\d{3}\b)/g, "");
  for (const [word, symbol] of words) plain = plain.replace(word, symbol);
  const found = (expression.exec(plain) ?? lonely.exec(plain))?.[0].trim();
  if (found === undefined) return undefined;
  const open = found.split("(").length - found.split(")").length;
  if (open > 0) return found + ")".repeat(open);
  return open < 0 ? found.replace(new RegExp(String.raw`\){${-open}}$`), "") : found;
}

const question = /\b(?:what(?:'s|’s| is)|how much is|calculate|compute)\s+([^?!]+)/i;
const spokenWord =
  /\b(?:the|square root of|percent|of|times|multiplied by|divided by|over|plus|minus|to the power of|sqrt|abs|round)\b/gi;

/** How a person has put a calculation, such as "12.5% of 480"; undefined where more than that is asked in one breath. */
export function spokenArithmetic(text: string): string | undefined {
  const asked = question
    .exec(text)?.[1]
    ?.split(/[,;]\s+(?=\D)|\s+and\s+/)[0]
    ?.replace(/[\s.,;=]+$/, "");
  const isAll = asked !== undefined && /^[-\d\s.,()+*/^%x×·÷−]+$/.test(asked.replace(spokenWord, " "));
  return isAll ? asked : undefined;
}
