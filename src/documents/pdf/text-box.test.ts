import { expect, it } from "vitest";
import { type PageView, type PlacedText, textBox } from "./text-box.ts";

const upright: PageView = { width: 200, height: 100, convertToViewportPoint: (x, y) => [x, 100 - y] };
const turned: PageView = { width: 100, height: 200, convertToViewportPoint: (x, y) => [y, x] };
const text: PlacedText = { str: "abcdefghij", transform: [10, 0, 0, 10, 20, 50], width: 100, height: 10 };

it("gives the part of a line that some of its characters take", () => {
  const box = textBox(text, { from: 2, to: 5 }, upright);
  expect(box).toEqual({
    left: expect.closeTo(0.2),
    top: expect.closeTo(0.422),
    width: expect.closeTo(0.15),
    height: expect.closeTo(0.1),
  });
});

it("counts from the right where a text is read from there", () => {
  expect(textBox({ ...text, dir: "rtl" }, { from: 0, to: 2 }, upright)).toMatchObject({
    left: expect.closeTo(0.5),
    width: expect.closeTo(0.1),
  });
});

it("follows a page and a text that are turned", () => {
  expect(textBox(text, { from: 0, to: 10 }, turned)).toMatchObject({
    top: expect.closeTo(0.1),
    height: expect.closeTo(0.5),
    width: expect.closeTo(0.1),
  });
  expect(textBox({ ...text, transform: [0, 10, -10, 0, 100, 0] }, { from: 0, to: 10 }, upright)).toMatchObject({
    width: expect.closeTo(0.05),
    height: expect.closeTo(1),
  });
});

it.each<[string, Partial<PlacedText>]>([
  ["has no letters", { str: "" }],
  ["is squeezed to nothing", { transform: [0, 0, 0, 0, 0, 0] }],
  ["stands nowhere", { transform: [1, 0, 0, 1, Number.NaN, 0] }],
])("gives none for a text that %s", (_name, change) => {
  expect(textBox({ ...text, ...change }, { from: 0, to: 1 }, upright)).toBeNull();
});
