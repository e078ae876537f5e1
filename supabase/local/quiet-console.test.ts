import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

test("what a quiet task prints is dropped, what others print meanwhile is not", async () => {
  // It puts itself around the console once; that has to be this test's console, whichever test used it before.
  vi.resetModules();
  const { withoutConsole } = await import("./quiet-console.ts");
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  let finish: (() => void) | undefined;
  const task = withoutConsole(async () => {
    console.error("row values");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    console.error("more row values");
  });
  console.error("someone else");
  finish?.();
  await task;
  expect(print.mock.calls).toEqual([["someone else"]]);
});

test("an error within a task is printed in one line, and one outside as it is", async () => {
  vi.resetModules();
  const { withErrorsInOneLine, withoutConsole } = await import("./quiet-console.ts");
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const error = new Error("other side closed");
  await withErrorsInOneLine(async () => {
    await Promise.resolve();
    console.error(error);
    console.error("A request failed: no");
    await withoutConsole(async () => console.error("row values"));
  });
  console.error(error);
  expect(print.mock.calls).toEqual([["An answer broke off: other side closed"], ["A request failed: no"], [error]]);
});

test("the task's result and its error come through", async () => {
  const { withoutConsole } = await import("./quiet-console.ts");
  expect(await withoutConsole(async () => 7)).toBe(7);
  await expect(withoutConsole(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
