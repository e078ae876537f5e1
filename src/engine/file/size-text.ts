/** A number of bytes in words, such as "1.5 MB". */
export function sizeText(bytes: number): string {
  return bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
