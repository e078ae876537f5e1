/** A file's content as a `data:` URL, by the browser's type for it or the one given. Rejects where it cannot be read. */
export function asDataUrl(blob: Blob, type = blob.type): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(new Error("The file could not be read.")));
    reader.readAsDataURL(type === blob.type ? blob : new Blob([blob], { type }));
  });
}
