const whole = new Intl.NumberFormat("en");

/** A count of tokens, such as "1,204 tokens". */
export function formatTokens(tokens: number): string {
  return `${whole.format(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
}

/** US dollars with as many digits as say something; null (a model without a known price) is "cost unknown". */
export function formatCost(usd: number | null): string {
  if (usd === null) return "cost unknown";
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/** Characters of a text, such as "340 characters" or "12.4k characters". */
export function formatSize(characters: number): string {
  return `${characters < 10_000 ? whole.format(characters) : `${(characters / 1000).toFixed(1)}k`} characters`;
}
