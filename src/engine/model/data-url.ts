/** A `data:` URL taken apart. */
export interface DataUrl {
  /** The media type, such as `image/png`. */
  type: string;
  /** The content as base64, unchecked. */
  data: string;
}

const prefix = /^data:([^;,]+);base64,/;

/** The type and the content of a `data:` URL in base64; undefined for any other URL. Looks at its beginning alone. */
export function readDataUrl(url: string): DataUrl | undefined {
  const match = prefix.exec(url);
  return match?.[1] === undefined ? undefined : { type: match[1], data: url.slice(match[0].length) };
}

/** Bytes that are turned into characters at a time: arguments of a call lie on the stack. */
const step = 0x8000;

/** The `data:` URL of bytes. */
export function dataUrlOf(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${base64Of(bytes)}`;
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  let characters = "";
  for (let from = 0; from < bytes.length; from += step) {
    // Spread, they would be taken one by one, which takes seconds for some megabytes.
    characters += Reflect.apply(String.fromCharCode, null, bytes.subarray(from, from + step));
  }
  return btoa(characters);
}

/** The bytes that a base64 text stands for; undefined for any other text. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let place = 0; place < characters.length; place += 1) bytes[place] = characters.charCodeAt(place);
    return bytes;
  } catch {
    return undefined;
  }
}
