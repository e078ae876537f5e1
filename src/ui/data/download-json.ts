/** Hands a value to the browser as a file. */
export function downloadJson(fileName: string, value: unknown): void {
  downloadText(fileName, "application/json", JSON.stringify(value, null, 2));
}

/** Hands a text to the browser as a file. */
export function downloadText(fileName: string, type: string, text: string): void {
  downloadFile(fileName, type, text);
}

/** Hands a text or bytes to the browser as a file. */
export function downloadFile(fileName: string, type: string, content: string | Uint8Array<ArrayBuffer> | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
