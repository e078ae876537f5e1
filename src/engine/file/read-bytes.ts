type Bytes = Uint8Array<ArrayBuffer>;

/** All bytes of a stream; undefined, and the stream cancelled, where there are more than `maxBytes`. */
export async function readBytes(stream: ReadableStream<Bytes>, maxBytes: number): Promise<Bytes | undefined> {
  const chunks: Bytes[] = [];
  let size = 0;
  // Not `for await`: browsers have no async iteration of streams yet.
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
