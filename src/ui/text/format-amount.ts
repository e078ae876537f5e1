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

/** Characters of a text, such as "340 characters", "12.4k characters" or "5.0M characters". */
export function formatSize(characters: number): string {
  if (characters < 10_000) return `${whole.format(characters)} characters`;
  if (characters < 999_950) return `${(characters / 1_000).toFixed(1)}k characters`;
  return `${(characters / 1_000_000).toFixed(1)}M characters`;
}
