import { DatabaseUnavailable } from "./database-client.ts";

/** Ends a transaction whose client sends nothing for `limitMs`, or is closed. */
export function watchIdleness(limitMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let expire = (): void => undefined;
  let working: Promise<unknown> = Promise.resolve();
  const expired = new Promise<never>((_resolve, reject) => {
    expire = () => reject(new DatabaseUnavailable("closed"));
  });
  // Nobody may be waiting for it.
  expired.catch(() => undefined);
  const wait = () => {
    timer = setTimeout(expire, limitMs);
  };
  wait();
  return {
    expired,
    expire: () => expire(),
    async whileWorking<Result>(work: () => Promise<Result>): Promise<Result> {
      clearTimeout(timer);
      const result = working.then(work);
      working = result.catch(() => undefined);
      try {
        return await result;
      } finally {
        wait();
      }
    },
    /** When the statement at hand, if there is one, has ended. */
    settled: () => working,
    stop: () => clearTimeout(timer),
  };
}
