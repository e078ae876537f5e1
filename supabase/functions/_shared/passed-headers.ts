/** Those of a request's headers that may go on to the server, by lower-case name. */
export function forwardedHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) forwarded[name] = value;
  }
  return forwarded;
}

/** Those of a message's headers whose lower-case names match one of the patterns. */
export function passedHeaders(
  headers: Readonly<Record<string, string>>,
  patterns: readonly RegExp[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => patterns.some((pattern) => pattern.test(name))));
}
