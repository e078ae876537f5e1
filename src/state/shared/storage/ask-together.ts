/**
 * Turns a question about many things into one about each: what is asked before the page does anything else goes out as one
 * question, or as several of `most`. What the answer lacks is undefined; where it fails, all who asked are told.
 */
export function askTogether<Value>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  most: number,
): (key: string) => Promise<Value | undefined> {
  let gathered: { keys: Set<string>; answer: Promise<ReadonlyMap<string, Value>> } | null = null;
  return async (key) => {
    if (gathered === null || gathered.keys.size >= most) {
      const keys = new Set<string>();
      const asked = { keys, answer: Promise.resolve().then(() => send()) };
      const send = () => {
        if (gathered === asked) gathered = null;
        return ask([...keys]);
      };
      gathered = asked;
    }
    const { keys, answer } = gathered;
    keys.add(key);
    return (await answer).get(key);
  };
}
