import type { ScanPicture } from "./scan-reader.ts";

/** Grey values from black to white by which a page that nothing stands on differs at most. */
const evenPage = 32;

/** A page that was drawn (RGBA) as a picture in grey; null for one that nothing stands on. */
export function pagePicture(
  { width, height, data }: Pick<ImageData, "width" | "height" | "data">,
  dpi: number,
): ScanPicture | null {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(header.length + width * height);
  bytes.set(header);
  let darkest = 255;
  let lightest = 0;
  for (let pixel = 0, at = header.length; at < bytes.length; pixel += 4, at += 1) {
    // The weights of ITU-R BT.601.
    const grey = 0.299 * (data[pixel] ?? 0) + 0.587 * (data[pixel + 1] ?? 0) + 0.114 * (data[pixel + 2] ?? 0);
    bytes[at] = grey;
    if (grey < darkest) darkest = grey;
    if (grey > lightest) lightest = grey;
  }
  return lightest - darkest <= evenPage ? null : { bytes, orientation: 1, dpi };
}
