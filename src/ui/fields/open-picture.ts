/** A pixel takes four bytes of the page's memory, however small the file is. */
const mostPixels = 100_000_000;

type OpenedPicture = { ok: true; bitmap: ImageBitmap } | { ok: false; reason: "unreadable" | "too-large" };

/** A file as a picture to draw from; close its bitmap. Its size is asked for before it is unpacked. Never rejects. */
export async function openPicture(file: File): Promise<OpenedPicture> {
  // A drawing could hold a browser up for ever, and none is sent.
  if (file.type === "image/svg+xml") return { ok: false, reason: "unreadable" };
  const url = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = url;
    await new Promise((resolve, reject) => {
      picture.addEventListener("load", resolve);
      picture.addEventListener("error", reject);
    });
    if (picture.naturalWidth * picture.naturalHeight > mostPixels) return { ok: false, reason: "too-large" };
    return { ok: true, bitmap: await createImageBitmap(file) };
  } catch {
    return { ok: false, reason: "unreadable" };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** What to say of a picture that has too many pixels. */
export const tooManyPixels = `has more than ${mostPixels / 1e6} million pixels`;
