import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import { mapCallError, type ErrorPlace } from "../wire/call-error.ts";

/** A server's refusal in the members that OpenAI's have. */
interface ServerError {
  message: string;
  code?: string | number;
  type?: string;
  /** Google's (google.rpc) details. */
  details?: Json;
  /** What the model wrote, where it could not be read (Groq). */
  failedGeneration?: string;
}

/**
 * The error in a body, in whatever shape its server says it; undefined where it holds none. The shapes: OpenAI and most
 * (`{ error: { message, type, code } }`), OpenRouter (with the other side's words in `metadata.raw`), Google (the same in a list), xAI
 * (`{ code, error: "…" }`), Ollama (`{ error: "…" }`), Mistral and vLLM (`{ object: "error", message, type, code }`), FastAPI
 * (`{ detail: "…" }` or `{ detail: [{ loc, msg }] }`), Cloudflare (`{ errors: [{ code, message }] }`), MiniMax
 * (`{ base_resp: { status_code, status_msg } }`), Baidu (`{ error_code, error_msg }`), problem details (`{ title, detail, status }`).
 */
export function errorIn(given: unknown): ServerError | undefined {
  const body: unknown = Array.isArray(given) ? given[0] : given;
  if (!isJsonObject(body)) return undefined;
  const { error, errors, base_resp: base } = body;
  if (isJsonObject(error)) return withOrigin(named(error), error.metadata);
  if (typeof error === "string" && error !== "") return named({ ...body, message: error });
  if (isJsonObject(base) && base.status_code !== 0 && base.status_code !== undefined)
    return named({ message: base.status_msg ?? "", code: base.status_code });
  if (Array.isArray(errors) && errors.length > 0)
    return named(isJsonObject(errors[0]) ? errors[0] : { message: errors[0] ?? "" });
  if (body.error_msg !== undefined) return named({ message: body.error_msg, code: body.error_code ?? null });
  if (body.detail !== undefined && body.choices === undefined) return named({ ...body, message: wordsOf(body.detail) });
  if (body.object === "error") return named(body);
  return undefined;
}

/** The error of a body that came with a failing status: then any body is one. */
export function errorOfRefusal(body: unknown): ServerError {
  return errorIn(body) ?? (isJsonObject(body) ? named(body) : { message: JSON.stringify(body) });
}

function named(error: JsonObject): ServerError {
  const { message, msg, code, type, details, failed_generation: failed } = error;
  const words = message ?? msg;
  return {
    message: typeof words === "string" && words !== "" ? words : JSON.stringify(words ?? error),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(typeof type === "string" ? { type } : {}),
    ...(details !== undefined ? { details } : {}),
    ...(typeof failed === "string" ? { failedGeneration: failed } : {}),
  };
}

/** FastAPI's list of what is wrong where, as one sentence. */
function wordsOf(detail: Json): string {
  if (typeof detail === "string") return detail;
  const list = Array.isArray(detail) ? detail : [detail];
  return list
    .map((each) => {
      if (!isJsonObject(each) || typeof each.msg !== "string") return JSON.stringify(each);
      const place = Array.isArray(each.loc) ? each.loc.join(".") : "";
      return place === "" ? each.msg : `${place}: ${each.msg}`;
    })
    .join("; ");
}

const longestOrigin = 500;

/** "Provider returned error" says nothing; what that provider said stands beside it (OpenRouter). */
function withOrigin(error: ServerError, metadata: Json | undefined): ServerError {
  if (!isJsonObject(metadata)) return error;
  const { raw, provider_name: provider, reasons } = metadata;
  const said = raw === undefined || raw === null ? undefined : typeof raw === "string" ? raw : JSON.stringify(raw);
  const why = Array.isArray(reasons) && reasons.length > 0 ? reasons.join(", ") : said;
  if (why === undefined || why === "") return error;
  const who = typeof provider === "string" ? `${provider}: ` : "";
  return { ...error, message: `${error.message} (${who}${why.slice(0, longestOrigin)})` };
}

/** Maps whatever a call rejected with; compatible servers say why in many places. */
export function mapOpenaiError(error: unknown, place: ErrorPlace): RunErrorData {
  return mapCallError(error, place, errorOfRefusal);
}
