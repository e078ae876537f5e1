import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  return Buffer.concat([int32(body.length), named, int32(crc32(named))]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG in black and white that is as large as it says, in a thousandth of its pixels' bytes; `rows` of them are there. */
function blankPng(width: number, height: number, rows = height, ...more: Buffer[]): Buffer {
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(Math.min(width, 1e6) / 8)) * rows));
  const head = Buffer.concat([int32(width), int32(height), Buffer.from([1, 0, 0, 0, 0])]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    ...more,
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const int16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);

/** A GIF whose frames, of one pixel each, are announced in this size. */
function blankGif(width: number, height: number, frames: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    Buffer.from("GIF89a"),
    int16(width),
    int16(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

const packedText = chunk(
  "zTXt",
  Buffer.concat([Buffer.from("Comment\0\0", "latin1"), deflateSync(Buffer.alloc(50 * 1024 * 1024, "a"))]),
);
const profile = chunk(
  "iCCP",
  Buffer.concat([Buffer.from("profile\0\0", "latin1"), deflateSync(Buffer.alloc(50 * 1024 * 1024))]),
);

/** Pictures that are made to take a reader's memory or time, with their media types. */
export const hostileImages = {
  "400 million pixels in 50 kB": () => ["image/png", blankPng(20_000, 20_000)],
  "as large as a PNG can say": () => ["image/png", blankPng(0x7fffffff, 0x7fffffff, 1)],
  "101 rows of a million": () => ["image/png", blankPng(1_000_000, 101)],
  "no width": () => ["image/png", blankPng(0, 10)],
  "a packed comment of 50 MB": () => ["image/png", blankPng(10, 10, 10, packedText)],
  "a packed profile of 50 MB": () => ["image/png", blankPng(10, 10, 10, profile)],
  "rows that do not come": () => ["image/png", blankPng(20_000, 20_000, 1)],
  "a GIF of 65,535 by 65,535": () => ["image/gif", blankGif(65_535, 65_535, 1)],
  "a GIF of a hundred thousand frames": () => ["image/gif", blankGif(4_000, 4_000, 100_000)],
  "a JPEG of 65,500 by 65,500": () => [
    "image/jpeg",
    Buffer.from("ffd8ffc0000b08ffdcffdc01011100ffda0008010100003f00ffd9", "hex"),
  ],
  "a WebP of 16,384 by 16,384": () => [
    "image/webp",
    Buffer.from(`52494646${"16000000"}574542505650384c0a0000002fffffff0f00000000000000`, "hex"),
  ],
  "a drawing of drawings": () => [
    "image/svg+xml",
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999">${Array.from({ length: 12 }, (_, at) => `<g id="a${at}">${`<use href="#a${at + 1}"/>`.repeat(10)}</g>`).join("")}<use href="#a0"/></svg>`,
    ),
  ],
  "a page that says it is a picture": () => ["image/png", Buffer.from("<!doctype html><script>alert(1)</script>")],
} satisfies Record<string, () => [type: string, bytes: Buffer]>;
