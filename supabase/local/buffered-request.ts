/** Reads a request's body, so that handling it no longer depends on the sender. Null when it exceeds `maxBytes`. */
export async function bufferRequest(request: Request, maxBytes: number): Promise<Request | null> {
  const { method, headers, url } = request;
  if (!request.body) return new Request(url, { method, headers });
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Request(url, { method, headers, body: Buffer.concat(chunks) });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Not awaited: after a cut the sender may never answer.
    void reader.cancel().catch(() => undefined);
  }
}
