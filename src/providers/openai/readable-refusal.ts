import { isJsonObject } from "../../engine/json.ts";

/**
 * A refusal in the shape that the SDK reads, `{ error: { message } }`. Compatible servers say why in other places
 * (`detail`, `message`), and the SDK would show "no body" instead. Any other answer passes untouched.
 */
export async function readableRefusal(response: Response): Promise<Response> {
  if (response.ok || !response.headers.get("content-type")?.includes("json")) return response;
  const text = await response.text();
  const { status, headers } = response;
  return new Response(withError(text), { status, headers });
}

function withError(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isJsonObject(body) || body.error !== undefined) return text;
  const said = body.message ?? body.detail ?? body;
  return JSON.stringify({ error: { message: typeof said === "string" ? said : JSON.stringify(said) } });
}
