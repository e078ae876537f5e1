import { expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const words = "Grüße aus Köln — „Straße“ à 5 €\n";

const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, { big = false, mark = true } = {}): Uint8Array {
  const view = new DataView(new ArrayBuffer((text.length + 1) * 2));
  view.setUint16(0, 0xfeff, !big);
  [...text].forEach((letter, index) => view.setUint16((index + 1) * 2, letter.charCodeAt(0), !big));
  return new Uint8Array(view.buffer).slice(mark ? 0 : 2);
}

/** The letters of `words` that Windows-1252 has elsewhere than Latin-1. */
const windows: Record<string, number> = { "—": 0x97, "„": 0x84, "“": 0x93, "€": 0x80 };

it.each<[string, Uint8Array]>([
  ["UTF-8", utf8(words)],
  ["UTF-8 with a mark", new Uint8Array([0xef, 0xbb, 0xbf, ...utf8(words)])],
  ["UTF-16, little end first, with a mark", utf16(words)],
  ["UTF-16, big end first, with a mark", utf16(words, { big: true })],
  ["UTF-16, little end first, without a mark", utf16(words, { mark: false })],
  ["UTF-16, big end first, without a mark", utf16(words, { big: true, mark: false })],
  ["Windows-1252", Uint8Array.from(words, (letter) => windows[letter] ?? letter.charCodeAt(0))],
])("reads %s", (_name, bytes) => {
  expect(decodeText(bytes)).toBe(words);
});

it("reads UTF-8 with a broken letter as UTF-8", () => {
  const bytes = new Uint8Array([...utf8(words), 0xc3]);
  expect(decodeText(bytes)).toBe(`${words}\uFFFD`);
});

it("reads nothing of an empty file", () => {
  expect(decodeText(new Uint8Array())).toBe("");
});
