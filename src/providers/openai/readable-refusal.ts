import { ownErrorHeader } from "../wire/relayed-error.ts";
import { errorOfRefusal } from "./error-shapes.ts";

/**
 * A refusal in the shape that the SDK reads, `{ error: { message } }`. Compatible servers say why in other places, and the SDK
 * would show "no body" instead. Any other answer passes untouched, as do the proxy's own.
 */
export async function readableRefusal(response: Response): Promise<Response> {
  if (response.ok || response.headers.get(ownErrorHeader) || !response.headers.get("content-type")?.includes("json"))
    return response;
  const text = await response.text();
  const { status, headers } = response;
  return new Response(withError(text), { status, headers });
}

function withError(text: string): string {
  try {
    return JSON.stringify({ error: errorOfRefusal(JSON.parse(text)) });
  } catch {
    return text;
  }
}
