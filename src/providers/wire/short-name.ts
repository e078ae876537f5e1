const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Nine letters and digits that stand for a text: the same for the same text, and hardly ever for another. */
export function shortName(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (sum * 131 + (letter.codePointAt(0) ?? 0)) % 2 ** 45;
  let name = "";
  for (let place = 0; place < 9; place += 1) {
    name += letters.charAt(sum % letters.length);
    sum = Math.floor(sum / letters.length);
  }
  return name;
}
