import { expect, test } from "vitest";
import { createSharedReads } from "./shared-reads.ts";

test("whoever asks gets what a read gives that began after that, and all who wait share one", async () => {
  const share = createSharedReads<number>();
  const open: (() => void)[] = [];
  let begun = 0;
  const read = (): Promise<number> => {
    const own = (begun += 1);
    return new Promise((resolve) => open.push(() => resolve(own)));
  };
  const first = share("a", read);
  const later = Array.from({ length: 5 }, () => share("a", read));
  const other = share("b", read);
  expect(begun).toBe(2);
  open[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => begun).toBe(3);
  open[2]?.();
  expect(await Promise.all(later)).toEqual([3, 3, 3, 3, 3]);
  open[1]?.();
  expect(await other).toBe(2);
});

test("a read that fails fails for who shared it, and the next one is tried", async () => {
  const share = createSharedReads<string>(10);
  await expect(share("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await share("a", () => Promise.resolve("back"))).toBe("back");
});
