/** Hands a value to the browser as a file. */
export function downloadJson(fileName: string, value: unknown): void {
  downloadText(fileName, "application/json", JSON.stringify(value, null, 2));
}

/** Hands a text to the browser as a file. */
export function downloadText(fileName: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
