import { numberIn, spacedWords } from "./tokens.ts";

/** A number as a text says it. `isCount`: it says how many things of a kind there are, such as the 3 of "3 pizzas". */
interface SaidNumber {
  value: number;
  isPercentage: boolean;
  isCount: boolean;
}

/** What may stand around a number that is meant as it stands; "~12", "<12" and ".50" are no 12 and no 50. */
const before = /^["'“‘([*_`#]+/u;
const behind = /["'”’)\]*_`.,;:!?…]+$/u;

/** Words that may follow an amount, and make no count of it. */
const afterAmount =
  /^(?:for|to|from|of|in|on|at|by|with|and|or|plus|minus|more|less|each|per|is|was|were|as|please|now|today|tomorrow|back|total|together|altogether|extra|additional|dollars?|euros?|pounds?|francs?|cents?|bucks|eur|usd|gbp|chf|yen)$/i;

/** The numbers of a text, in digits. */
export function numbersIn(text: string): SaidNumber[] {
  const words = spacedWords(text);
  return words.flatMap((word, index) => {
    const bare = word.replace(before, "").replace(behind, "");
    const value = numberIn(bare);
    if (Number.isNaN(value)) return [];
    const isWhole = /^\d+$/.test(bare) && !behind.test(word);
    const next = words[index + 1]?.replace(before, "").replace(behind, "") ?? "";
    const isCount = isWhole && /^\p{L}/u.test(next) && !afterAmount.test(next);
    return [{ value, isPercentage: bare.endsWith("%"), isCount }];
  });
}
