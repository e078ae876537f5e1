import { expect, test } from "vitest";
import { runSiege } from "./run-siege.ts";

/** The short form; `npm run bench -- --only siege` goes on for ten minutes, and looks at times as well. */
test("S61 S62 S63 S64 three guests do their worst, and a fourth is served or told to come again, and loses nothing", async () => {
  const siege = await runSiege({ ms: 8_000, killEveryMs: 3_000 });
  const late = /(took|after) \d+ ms$/;
  expect(siege.wrong.filter((line) => !late.test(line))).toEqual([]);
  expect(siege.lost).toEqual([]);
  expect(siege.served).toBeGreaterThan(0);
  expect(siege.kills).toBeGreaterThan(0);
  expect(Object.keys(siege.tried).length).toBeGreaterThan(0);
}, 180_000);
