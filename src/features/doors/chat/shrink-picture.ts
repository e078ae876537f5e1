import { openPicture } from "../../../ui/fields/open-picture.ts";

/** Pixels of a side of the square that a picture is cut to. */
const side = 128;

/** A picture as a small square JPEG in a `data:` URL; null when the browser cannot read it, or it is far too large. */
export async function shrinkPicture(file: File): Promise<string | null> {
  const opened = await openPicture(file);
  if (!opened.ok) return null;
  const { bitmap } = opened;
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.fillStyle = "white";
  context.fillRect(0, 0, side, side);
  // The middle of the longer side.
  const part = Math.min(bitmap.width, bitmap.height);
  context.drawImage(bitmap, (bitmap.width - part) / 2, (bitmap.height - part) / 2, part, part, 0, 0, side, side);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", 0.85);
}
