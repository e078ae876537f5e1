/** What the first bytes of a picture say of it. */
export interface PictureFacts {
  width: number;
  height: number;
  /** How it is turned, as EXIF numbers it; 1 is upright. */
  orientation: number;
}

/** The facts of a PNG, JPEG, GIF or WebP file, without unpacking it; null for anything else. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = pngSize(view) ?? gifSize(view) ?? webpSize(view);
    return size ? { ...size, orientation: 1 } : jpegFacts(view);
  } catch (error) {
    // The file ends before what is looked for.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Size = Pick<PictureFacts, "width" | "height">;

function pngSize(view: DataView): Size | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): Size | null {
  if (textAt(view, 0, 4) !== "GIF8") return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Source: https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): Size | null {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return null;
  switch (textAt(view, 12, 4)) {
    case "VP8 ":
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    default:
      return null;
  }
}

/** Goes from segment to segment until the one with the size. Source: ITU-T T.81, annex B. */
function jpegFacts(view: DataView): PictureFacts | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let orientation = 1;
  for (let at = 2; ;) {
    const marker = view.getUint16(at);
    if (marker >> 8 !== 0xff) return null;
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation };
    if (marker === 0xffe1 && textAt(view, at + 4, 4) === "Exif") orientation = exifOrientation(view, at + 10);
    at += 2 + view.getUint16(at + 2);
  }
}

/** Tag 0x0112 of the first directory of a TIFF header at `start`; 1 where there is none. */
function exifOrientation(view: DataView, start: number): number {
  const little = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, little);
  const entries = view.getUint16(directory, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (view.getUint16(at, little) !== 0x0112) continue;
    const value = view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

function textAt(view: DataView, start: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(start + index)));
}
