const pauseMs = 60_000;

/**
 * Says what goes wrong again and again at most once a minute for each kind of trouble, with how often it happened since the
 * last time. `now` is in milliseconds since 1970.
 */
export function logSeldom(log: (line: string) => void, now: () => number = Date.now) {
  const kinds = new Map<string, { at: number; unsaid: number }>();
  return (kind: string, line: string): void => {
    const last = kinds.get(kind);
    if (last !== undefined && now() - last.at < pauseMs) {
      last.unsaid += 1;
      return;
    }
    const more = last === undefined || last.unsaid === 0 ? "" : ` (${last.unsaid} more since the last message)`;
    log(`${line}${more}`);
    kinds.set(kind, { at: now(), unsaid: 0 });
  };
}
