import { visibleName } from "../../engine/text/visible-name.ts";
import { openPicture, tooManyPixels } from "./open-picture.ts";

/** The longer side of a sent picture, in pixels: vendors scale larger ones down themselves (Anthropic vision guide: 1,568), and a run keeps each several times. */
const longestSide = 1_024;
/** A picture up to this many bytes and not too large is sent as it is. */
const smallBytes = 200_000;
const sendable = /^image\/(png|jpeg|webp|gif)$/;

type ShrunkImage = { ok: true; file: File } | { ok: false; problem: string };

/** Draws a picture no larger than allowed; white shows through where it is transparent. */
function draw(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.8));
}

function problemOf(reason: "unreadable" | "too-large", name: string): string {
  return reason === "too-large"
    ? `${name} ${tooManyPixels}. Attach a smaller picture.`
    : `This browser cannot read ${name} as a picture. Attach a PNG, JPEG, WebP or GIF.`;
}

/** Scaled down it is a JPEG. */
function jpegName(name: string): string {
  return `${name.replace(/\.[^.]*$/, "") || "picture"}.jpg`;
}

/** A picture that vendors take: a small one as it is, another one scaled down and as JPEG. Never rejects. */
export async function shrinkImage(file: File): Promise<ShrunkImage> {
  const name = file.name === "" ? "The file" : `“${visibleName(file.name)}”`;
  const opened = await openPicture(file);
  if (!opened.ok) return { ok: false, problem: problemOf(opened.reason, name) };
  const { bitmap } = opened;
  try {
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= smallBytes && sendable.test(file.type)) return { ok: true, file };
    const drawn = await draw(bitmap, scale);
    if (drawn === null) return { ok: false, problem: `${name} could not be scaled down. Attach a smaller picture.` };
    return { ok: true, file: new File([drawn], jpegName(file.name), { type: "image/jpeg" }) };
  } catch {
    return { ok: false, problem: `${name} could not be read. Try again, or attach another picture.` };
  } finally {
    bitmap.close();
  }
}
