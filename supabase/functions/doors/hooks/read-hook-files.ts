import { mediaTypeOf } from "../../../../src/engine/file/file-name.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../src/engine/json.ts";
import { isTextType } from "../../../../src/engine/text/text-type.ts";
import { wellFormed } from "../../../../src/engine/well-formed.ts";
import type { InputWithFiles } from "../../_shared/files/attached.ts";
import type { SentFile } from "../../_shared/files/door-files.ts";
import { nameByHeaders } from "../../_shared/files/named-by-headers.ts";
import { isMultipart, readParts, sentPart } from "../read-parts.ts";
import { type FormTerms, type ReceivedForm, receiveForm } from "../receive-form.ts";
import { addField, readHookBody } from "./read-hook-body.ts";

/** A body without files. */
export function plainBody(body: Json): InputWithFiles {
  return { files: [], with: () => body };
}

/** Whether a body is a file or a form that may hold some, as its content type says. */
export function mayHoldFiles(contentType: string | null): boolean {
  const type = typeOf(contentType);
  return type !== "" && (isMultipart(type) || !isTextType(type) || isDocument(type));
}

/** Whether a type of text is that of a document, such as CSV or HTML, and not one in which services send their messages. */
function isDocument(type: string): boolean {
  if (type === "text/plain" || type === "text/xml") return false;
  return !type.startsWith("application/") || type === "application/csv";
}

/**
 * A body as `readHookBody` reads it, but that a document, what is no text, and each file of a form, is a file. Throws DoorProblem for JSON or a
 * form that cannot be read.
 */
export async function readHookFiles(bytes: Uint8Array<ArrayBuffer>, headers: Headers): Promise<InputWithFiles> {
  const contentType = headers.get("content-type") ?? "";
  if (bytes.byteLength === 0) return plainBody(null);
  if (isMultipart(contentType)) return formWithFiles(bytes, contentType);
  if (!mayHoldFiles(contentType)) {
    const body = await readHookBody(bytes, contentType);
    // A text that is none, or bytes of no type.
    const isFile =
      isJsonObject(body) && "base64" in body && (contentType === "" || typeOf(contentType).startsWith("text/"));
    if (!isFile) return plainBody(body);
  }
  const name = nameByHeaders(Object.fromEntries(headers), "upload");
  return { files: [{ name, mediaType: mediaTypeOf(contentType), bytes }], with: ([file]) => file ?? null };
}

async function formWithFiles(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<InputWithFiles> {
  const fields: (readonly [string, string | number])[] = [];
  const files: SentFile[] = [];
  for (const [name, value] of await readParts(bytes, contentType)) {
    fields.push([
      wellFormed(name),
      typeof value === "string" ? wellFormed(value) : files.push(await sentPart(value)) - 1,
    ]);
  }
  return { files, with: formOfFields(fields) };
}

/** A form with what stands for each of its files. */
function formOfFields(fields: ReceivedForm<unknown>["fields"]): (stored: readonly Json[]) => JsonObject {
  return (stored) => {
    const form: JsonObject = {};
    for (const [name, value] of fields)
      addField(form, name, typeof value === "string" ? value : (stored[value] ?? null));
    return form;
  };
}

/** A body of `readHookFiles` that is read as it comes; `keep` takes its files. */
export async function receiveHookFiles<Kept>(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
  terms: Omit<FormTerms<Kept>, "contentType">,
): Promise<{ files: readonly Kept[]; with(files: readonly Json[]): Json }> {
  const contentType = headers.get("content-type") ?? "";
  if (isMultipart(contentType)) {
    const { fields, files } = await receiveForm(body, { ...terms, contentType });
    return { files, with: formOfFields(fields) };
  }
  const name = nameByHeaders(Object.fromEntries(headers), "upload");
  const file = await terms.keep({ name, mediaType: mediaTypeOf(contentType), bytes: body });
  return { files: [file], with: ([stored]) => stored ?? null };
}

const typeOf = (contentType: string | null): string => (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
