/** Formats that browsers draw and that can hold no script. */
const drawable = /^data:image\/(png|jpeg|webp|gif);base64,/;

/** Whether a text is a picture that `Picture` draws. */
export function isDrawnPicture(text: string): boolean {
  return drawable.test(text);
}

/** A picture of a run. One of another site is named, not loaded: looking at a run makes no request. */
export function Picture({ url, alt }: { url: string; alt: string }) {
  if (!isDrawnPicture(url)) {
    return <span className="text-xs text-muted wrap-anywhere">[image: {url.slice(0, 300)}]</span>;
  }
  return <img src={url} alt={alt} className="max-h-40 max-w-56 self-start rounded-md border" />;
}
