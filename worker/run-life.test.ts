import { expect, it } from "vitest";
import { RunLife } from "./run-life.ts";

/** A run that is held until 1,000, and what was done in its course. */
function world(renew: (life: RunLife) => void) {
  let now = 0;
  const done: string[] = [];
  const life: RunLife = new RunLife({
    heldUntil: 1_000,
    now: () => now,
    renew: async () => {
      done.push("asked");
      renew(life);
    },
  });
  const call = () =>
    life.during(async () => {
      done.push("called");
      return "answer";
    });
  return { life, done, call, wait: (ms: number) => (now += ms) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("S80 asks nobody while the lease runs", async () => {
  const { life, done, call, wait } = world(() => undefined);
  expect(await call()).toBe("answer");
  life.holdUntil(3_000);
  wait(2_500);
  expect(await call()).toBe("answer");
  // An answer that came late takes nothing away.
  life.holdUntil(2_000);
  expect(await call()).toBe("answer");
  expect(done).toEqual(["called", "called", "called"]);
});

it("S80 asks before a call once the lease is over, and goes on where the run is still its own", async () => {
  const { done, call, wait } = world((life) => life.holdUntil(20_000));
  wait(13_000);
  expect(await call()).toBe("answer");
  expect(done).toEqual(["asked", "called"]);
});

it("S80 makes no call of a run that another worker has by then", async () => {
  const { life, done, call, wait } = world((one) => one.end());
  wait(13_000);
  void call();
  const stream = life.duringStream(async () => new Response(String(done.push("streamed"))));
  void stream;
  await settled();
  expect(done).toEqual(["asked"]);
});

it("a call fails where nobody can say whose the run is", async () => {
  const { done, call, wait } = world(() => {
    throw new Error("No database.");
  });
  wait(13_000);
  await expect(call()).rejects.toThrow("No database.");
  expect(done).toEqual(["asked"]);
});
