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

/** Levels of lists and objects; deeper ones would end the stack of what checks them. */
const MAX_JSON_DEPTH = 500;

/** Reads a request's body as JSON, at most 500 levels deep. */
export async function readJson(request: Request, maxBytes: number): Promise<Outcome<unknown>> {
  const body = await readBody(request, maxBytes);
  if (!body.ok) return body;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body.value);
    if (isDeeperThan(text, MAX_JSON_DEPTH)) {
      return failure("invalid_config", "The request is nested too deeply.", `Send at most ${MAX_JSON_DEPTH} levels.`);
    }
    return success(JSON.parse(text));
  } catch {
    return failure("invalid_config", "The request's body is not JSON.", "Send one JSON object.");
  }
}

/** Counts the brackets of JSON that stand outside its texts. */
function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfText(text, at);
        break;
      case "[":
      case "{":
        depth += 1;
        if (depth > levels) return true;
        break;
      case "]":
      case "}":
        depth -= 1;
    }
  }
  return false;
}

/** The place of the quotation mark that ends the text which one at `start` begins. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}
