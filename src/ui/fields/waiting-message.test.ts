import { expect, test } from "vitest";
import { fateOf } from "./waiting-message.ts";

const waiting = { conversation: "one", failures: 0 };
const now = { ...waiting, isStoring: false, isAnswering: false };

test("a message goes once its files are stored and no answer is on its way", () => {
  expect(fateOf(waiting, { ...now, isStoring: true })).toBe("wait");
  expect(fateOf(waiting, { ...now, isAnswering: true })).toBe("wait");
  expect(fateOf(waiting, now)).toBe("send");
});

test("a message is kept once one of its files could not be stored, even while others are on their way", () => {
  expect(fateOf(waiting, { ...now, failures: 1 })).toBe("keep");
  expect(fateOf(waiting, { ...now, failures: 1, isStoring: true })).toBe("keep");
  expect(fateOf({ ...waiting, failures: 1 }, { ...now, failures: 1 })).toBe("send");
});

test("a message is kept where another conversation was opened meanwhile", () => {
  expect(fateOf(waiting, { ...now, conversation: "two" })).toBe("keep");
  expect(fateOf({ ...waiting, conversation: null }, { ...now, conversation: "one" })).toBe("keep");
});
