import { fileName, mediaTypeOf } from "../../../src/engine/file/file-name.ts";
import type { SentFile } from "../_shared/files/door-files.ts";
import { DoorProblem, problems } from "../_shared/door-problem.ts";

/** Fields of a form, and files in it; more are refused. */
export const maxFields = 1_000;

/** The fields of a multipart form in their order: texts, and files as they came. Throws DoorProblem where it cannot be read. */
export async function readParts(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<(readonly [string, string | File])[]> {
  try {
    return limited([...(await new Response(bytes, { headers: { "content-type": contentType } }).formData())]);
  } catch (error) {
    throw error instanceof DoorProblem ? error : unreadableForm();
  }
}

export const unreadableForm = () => new DoorProblem(problems.badRequest("The multipart form cannot be read."));

export const tooManyFields = () => new DoorProblem(problems.badRequest(`A form may have ${maxFields} fields.`));

/** Throws DoorProblem for more fields than a form may have. */
export function limited<Entry>(entries: Entry[]): Entry[] {
  if (entries.length > maxFields) throw tooManyFields();
  return entries;
}

/** A part that is a file, under a name that leads nowhere. */
export async function sentPart(file: File): Promise<SentFile> {
  return {
    name: fileName(file.name),
    mediaType: mediaTypeOf(file.type),
    bytes: new Uint8Array(await file.arrayBuffer()),
  };
}

/** Whether a request's body is a multipart form. */
export const isMultipart = (contentType: string | null): boolean =>
  (contentType ?? "").split(";")[0]?.trim().toLowerCase() === "multipart/form-data";
