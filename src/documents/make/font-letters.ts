/**
 * The code points that a TrueType font has letters for, by the table `cmap` in format 4
 * (https://learn.microsoft.com/typography/opentype/spec/cmap), which holds those up to U+FFFF. `font` is the file in base64.
 */
export function fontLetters(font: string): ReadonlySet<number> {
  const bytes = Uint8Array.from(atob(font), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const letters = new Set<number>();
  const cmap = tableAt(view, "cmap");
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const start = cmap + view.getUint32(cmap + 8 + index * 8);
    if (view.getUint16(start) !== 4) continue;
    const twice = view.getUint16(start + 6);
    for (let segment = 0; segment < twice; segment += 2) {
      const last = view.getUint16(start + 14 + segment);
      const first = view.getUint16(start + 16 + twice + segment);
      for (let code = first; code <= last && code < 0xffff; code += 1) letters.add(code);
    }
  }
  return letters;
}

function tableAt(view: DataView, tag: string): number {
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + index * 16;
    const name = String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(record + place)));
    if (name === tag) return view.getUint32(record + 8);
  }
  throw new Error(`The font has no table ${tag}.`);
}
