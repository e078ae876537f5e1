/** A picture that a tool gave, ready for an `img`. */
export interface ResultImage {
  mimeType: string;
  /** A `data:` URL. */
  source: string;
  bytes: number;
}

/** Formats that browsers draw and that can hold no script. */
const drawable = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const mostImages = 12;

function imageFrom(value: unknown): ResultImage | null {
  if (typeof value !== "object" || value === null || !("mimeType" in value) || !("data" in value)) return null;
  const { mimeType, data } = value;
  if (typeof mimeType !== "string" || typeof data !== "string") return null;
  if (!drawable.test(mimeType) || !base64.test(data)) return null;
  const bytes = Math.floor((data.replace(/=+$/, "").length * 3) / 4);
  return { mimeType, source: `data:${mimeType};base64,${data}`, bytes };
}

/** The pictures in a tool's result: `{ mimeType, data }` with base64 data, by itself or in a list. */
export function imagesIn(value: unknown): ResultImage[] {
  const candidates: unknown[] = Array.isArray(value) ? value : [value];
  return candidates
    .map(imageFrom)
    .filter((image) => image !== null)
    .slice(0, mostImages);
}
