import { expect, it } from "vitest";
import { pngOf } from "../testing/make-scan.ts";
import { pictureFacts } from "./picture-facts.ts";

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : part)),
  );

const exif = (orientation: number) => {
  const directory = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return [...bytes([0xff, 0xe1, 0, 34], "Exif\0\0MM", [0, 42, 0, 0, 0, 8, 0, 1], directory)];
};
const frame = [0xff, 0xc2, 0, 17, 8, 0, 200, 1, 0x2c, 3];

it.each([
  ["PNG", pngOf({ width: 3, height: 2, pixels: new Uint8Array(6) }), { width: 3, height: 2, orientation: 1 }],
  ["GIF", bytes("GIF89a", [0x2c, 1, 200, 0]), { width: 300, height: 200, orientation: 1 }],
  [
    "WebP",
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 1, 200, 0]),
    { width: 300, height: 200, orientation: 1 },
  ],
  [
    "WebP without loss",
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f, 0x2b, 0xc1, 0x31, 0x00]),
    { width: 300, height: 200, orientation: 1 },
  ],
  [
    "extended WebP",
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [0, 0, 0, 0, 0, 0, 0, 0, 0x2b, 1, 0, 199, 0, 0]),
    { width: 300, height: 200, orientation: 1 },
  ],
  ["JPEG", bytes([0xff, 0xd8], frame), { width: 300, height: 200, orientation: 1 }],
  ["JPEG that is turned", bytes([0xff, 0xd8], exif(6), frame), { width: 300, height: 200, orientation: 6 }],
  ["JPEG with a wrong turn", bytes([0xff, 0xd8], exif(9), frame), { width: 300, height: 200, orientation: 1 }],
])("knows the size of a %s", (_name, file, facts) => {
  expect(pictureFacts(file)).toEqual(facts);
});

it.each([
  ["text", bytes("GIFs are pictures.")],
  ["nothing", bytes()],
  ["a JPEG that ends", bytes([0xff, 0xd8], exif(6))],
  ["a JPEG that is damaged", bytes([0xff, 0xd8, 0, 0, 0, 0, 0, 0, 0, 0])],
  [
    "another WebP",
    bytes(
      "RIFF",
      [0, 0, 0, 0],
      "WEBPABCD",
      Array.from({ length: 20 }, () => 0),
    ),
  ],
])("takes %s for no picture", (_name, file) => {
  expect(pictureFacts(file)).toBeNull();
});
