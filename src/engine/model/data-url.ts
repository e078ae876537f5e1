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
