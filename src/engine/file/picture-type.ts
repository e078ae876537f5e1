/** How files of pictures begin, a character a byte. */
const beginnings: readonly (readonly [type: string, beginning: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
  ["image/avif", /^[^]{4}ftypavi[fs]/],
];

const longest = 12;

/** The type of a picture by its first bytes; undefined where they tell of none of those that browsers and models take. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, longest));
  return beginnings.find(([, beginning]) => beginning.test(start))?.[0];
}
