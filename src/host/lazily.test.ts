import { expect, test, vi } from "vitest";
import { lazily } from "./lazily.ts";

interface Greeter {
  greet(name: string): Promise<string>;
  count(): Promise<number>;
}

function createGreeter(): Greeter {
  let greeted = 0;
  return {
    greet: (name) => {
      greeted += 1;
      return Promise.resolve(`Hello ${name}`);
    },
    count: () => Promise.resolve(greeted),
  };
}

test("the code is loaded once, with the first call", async () => {
  const load = vi.fn<() => Promise<Greeter>>(async () => createGreeter());
  const greeter = lazily(load);
  expect(load).not.toHaveBeenCalled();
  const { greet } = greeter;
  await expect(greet("Ada")).resolves.toBe("Hello Ada");
  await expect(greeter.count()).resolves.toBe(1);
  expect(load).toHaveBeenCalledTimes(1);
  // React compares what it is given.
  expect(greeter.greet).toBe(greet);
});

test("what is there at once needs no code", async () => {
  const load = vi.fn<() => Promise<Greeter>>(async () => createGreeter());
  const greeter = lazily(load, { count: () => Promise.resolve(7) });
  await expect(greeter.count()).resolves.toBe(7);
  expect(load).not.toHaveBeenCalled();
  await expect(greeter.greet("Ada")).resolves.toBe("Hello Ada");
});

test("a load that failed rejects the call, and the next one tries again", async () => {
  const load = vi
    .fn<() => Promise<Greeter>>(async () => createGreeter())
    .mockRejectedValueOnce(new Error("The network is away."));
  const greeter = lazily(load);
  await expect(greeter.count()).rejects.toThrow("The network is away.");
  await expect(greeter.count()).resolves.toBe(0);
});

test("it can be awaited, and refuses to be spread", async () => {
  const greeter = lazily(async () => createGreeter());
  await expect(Promise.resolve(greeter)).resolves.toBe(greeter);
  expect(() => ({ ...greeter })).toThrow("cannot be spread");
});
