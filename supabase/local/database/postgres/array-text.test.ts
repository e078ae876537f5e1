import { expect, test } from "vitest";
import { readArray, writeArray } from "./array-text.ts";

const text = (value: unknown) => String(value);

test.each([
  [[], "{}"],
  [["a", null, ""], '{"a",NULL,""}'],
  [['b,"c"', "d\\e", "{f}", "NULL"], '{"b,\\"c\\"","d\\\\e","{f}","NULL"}'],
  [
    [
      ["1", "2"],
      ["3", null],
    ],
    '{{"1","2"},{"3",NULL}}',
  ],
])("%j is written so that it is read as the same", (value, written) => {
  expect(writeArray(value, text)).toBe(written);
  expect(readArray(written, text)).toEqual(value);
});

test("arrays are read as Postgres writes them: items without quotes, nulls and bounds", () => {
  expect(readArray("[0:2]={1,-2,NULL}", Number)).toEqual([1, -2, null]);
  expect(() => readArray("{1,2", Number)).toThrow("This is no array of Postgres.");
});
