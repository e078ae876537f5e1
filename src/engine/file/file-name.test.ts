import fc from "fast-check";
import { expect, test } from "vitest";
import { fileName, mediaTypeOf } from "./file-name.ts";
import { fileSchema } from "./file.ts";

test.each([
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\temp\\a b.txt", "a b.txt"],
  ["a\r\nSet-Cookie: x", "a__Set-Cookie_ x"],
  ["exe.\u202Egnp", "exe.\uFFFDgnp"],
  ["..", "file"],
  ["", "file"],
  ["folder/", "folder"],
  [`${"a".repeat(300)}.tar`, `${"a".repeat(251)}.tar`],
])("S105 %j is stored as %j", (given, name) => {
  expect(fileName(given)).toBe(name);
});

test("S105 any name becomes one that is a file's, and stays as it is then", () => {
  const given = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ maxLength: 400 }));
  fc.assert(
    fc.property(given, (text) => {
      const name = fileName(text);
      expect(fileSchema.shape.name.safeParse(name).success).toBe(true);
      expect(name).not.toMatch(/[/\\]/);
      expect(fileName(name)).toBe(name);
    }),
  );
});

test.each([
  ["Image/PNG; charset=x", "image/png"],
  ["", "application/octet-stream"],
  [null, "application/octet-stream"],
  ["text/html\r\nx: y", "application/octet-stream"],
  ["no type", "application/octet-stream"],
])("the media type of %j is %j", (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});
