import { expect, it } from "vitest";
import { pageAddress, passageAddress } from "./text-fragment.ts";

const page = "https://example.com/returns";
const directive = (passage: string) => passageAddress(page, passage).slice(`${page}#:~:text=`.length);

it("names a short passage as it is", () => {
  expect(passageAddress(page, "Within 30 days.")).toBe(`${page}#:~:text=Within%2030%20days.`);
});

it("names a long passage by how it begins and how it ends", () => {
  const passage =
    "Whoever bought a lamp may return it within thirty days.\n\nThe refund shows on the account five days later.";
  expect(decodeURIComponent(directive(passage))).toBe(
    "Whoever bought a lamp may return,on the account five days later.",
  );
});

it.each([
  ["a-b, c & d", "a%2Db%2C%20c%20%26%20d"],
  ["50% #1?", "50%25%20%231%3F"],
  ["Größe 退货", "Gr%C3%B6%C3%9Fe%20%E9%80%80%E8%B4%A7"],
])("encodes what has a meaning there: %s", (passage, expected) => {
  expect(directive(passage)).toBe(expected);
});

it("leaves out signs of lists, empty lines and all cells of a row but the first", () => {
  expect(decodeURIComponent(directive("- Oak\n\n---\n- Birch"))).toBe("Oak,Birch");
  expect(decodeURIComponent(directive("Alder | 240 | oak"))).toBe("Alder");
});

it("cuts a text without spaces between whole characters", () => {
  const text = decodeURIComponent(directive("退货".repeat(200)));
  expect(text.split(",").map((part) => [...part].length)).toEqual([60, 60]);
  expect(() => passageAddress(page, "😀".repeat(300))).not.toThrow();
});

it("names the page of a PDF, unless its address names a place already", () => {
  expect(pageAddress(`${page}.pdf`, 3)).toBe(`${page}.pdf#page=3`);
  expect(pageAddress(`${page}.pdf#page=2`, 3)).toBe(`${page}.pdf#page=2`);
});

it("keeps a fragment that the address has, and an address to which nothing can be added", () => {
  expect(passageAddress(`${page}#top`, "Oak")).toBe(`${page}#top:~:text=Oak`);
  expect(passageAddress(page, " --- ")).toBe(page);
});
