import type { KeyboardEvent } from "react";
import { expect, test } from "vitest";
import { isEnter } from "./composing.ts";

const pressed = (key: string, isComposing: boolean, keyCode: number) =>
  isEnter({ key, keyCode, nativeEvent: { isComposing } } as KeyboardEvent);

test("the Enter that ends a composition sends nothing, in Safari too", () => {
  expect(pressed("Enter", false, 13)).toBe(true);
  expect(pressed("Enter", true, 13)).toBe(false);
  expect(pressed("Enter", false, 229)).toBe(false);
  expect(pressed("a", false, 65)).toBe(false);
});
