import { failure, success, type Outcome } from "./failure.ts";

/** Reads a request's body, at most `maxBytes`, without trusting its content-length. */
export async function readBody(request: Request, maxBytes: number): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    const { value } = next;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      const limit = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
      return failure("invalid_config", `The request is larger than ${limit}.`, "Send less at once.");
    }
    chunks.push(value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return success(body);
}

/** Reads a request's body as JSON. */
export async function readJson(request: Request, maxBytes: number): Promise<Outcome<unknown>> {
  const body = await readBody(request, maxBytes);
  if (!body.ok) return body;
  try {
    return success(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body.value)));
  } catch {
    return failure("invalid_config", "The request's body is not JSON.", "Send one JSON object.");
  }
}
