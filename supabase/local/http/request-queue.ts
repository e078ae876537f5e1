/** Runs a task when all tasks given before it have settled, and gives its result. */
type RequestQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A queue that runs one task at a time, in the order they come. A failed task does not stop the next. */
export function createRequestQueue(): RequestQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}
