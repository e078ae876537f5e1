import { z } from "zod/mini";
import { maxInputMb } from "../../../../src/doors/door-limits.ts";
import type { PublishedInterface } from "../../../../src/doors/published-interface.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../src/engine/json.ts";
import { parseLosslessJson } from "../../../../src/engine/lossless-json.ts";
import { attachmentProblem } from "../../../../src/engine/model/attachments.ts";
import { wellFormed } from "../../../../src/engine/well-formed.ts";
import type { DoorCall } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { type Door, type DoorStart, sendersOf } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { type InputWithFiles, withoutBytes } from "../../_shared/files/attached.ts";
import { announcedBytes, maxStreamedBytes, openUpload, type SentFile } from "../../_shared/files/door-files.ts";
import { tooLarge } from "../../_shared/sender-shares.ts";
import { isMultipart, readParts, sentPart } from "../read-parts.ts";
import { type ReceivedForm, receiveForm } from "../receive-form.ts";

const json = z.json() as z.ZodMiniType<Json>;

const largest = maxInputMb * 1024 * 1024;

/** Who sends an input, and for which publication. */
interface InputOf {
  door: Pick<Door, "workflowId" | "owner" | "limits">;
  sender: DoorStart["sender"];
  idempotencyKey: string | undefined;
}

/**
 * The input of a run: JSON, or a form of several parts, whose fields are those of the input. `input` in it is JSON that the other
 * fields are added to, `files` is always a list, and a field that comes several times is one too. Files of a form whose size is known
 * are stored as they come; whoever does not start a run with them discards them. Throws DoorProblem, and has kept nothing then.
 */
export async function readRunInput(
  call: DoorCall,
  { takesFiles }: Pick<PublishedInterface, "takesFiles">,
  of: InputOf,
  context: FunctionContext,
): Promise<InputWithFiles> {
  const { limits } = of.door;
  const contentType = call.request.headers.get("content-type");
  if (isMultipart(contentType)) {
    const size = announcedBytes(call.request.headers);
    if (size !== undefined) return receiveInput(call, size, of, context);
    return readForm(await call.readBody(largest), contentType ?? "", limits);
  }
  const body = json.parse((await call.readJson(takesFiles ? largest : limits.inputBytes)) ?? {});
  const problem = takesFiles ? attachmentProblem(body) : undefined;
  if (problem !== undefined) throw new DoorProblem(problems.badRequest(problem));
  return takesFiles ? withoutBytes(body) : { files: [], with: () => body };
}

async function receiveInput(
  call: DoorCall,
  size: number,
  { door, sender, idempotencyKey }: InputOf,
  context: FunctionContext,
): Promise<InputWithFiles> {
  const upload = { publication: door, senders: await sendersOf({ publication: door, sender }), key: idempotencyKey };
  const place = await openUpload(context, upload, size, call.request);
  return place.orNothing(async () => {
    const { fields, files } = await receiveForm(call.streamBody(maxStreamedBytes, door.limits.inputBytes), {
      contentType: call.request.headers.get("content-type") ?? "",
      maxTextBytes: door.limits.inputBytes,
      tooLarge: new DoorProblem(tooLarge(door.limits)),
      keep: place.keep,
    });
    return { files: [], stored: files, with: inputOfFields(fields) };
  });
}

async function readForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  limits: Door["limits"],
): Promise<InputWithFiles> {
  const files: SentFile[] = [];
  const fields: (readonly [string, string | number])[] = [];
  for (const [name, value] of await readParts(bytes, contentType)) {
    fields.push([
      wellFormed(name),
      typeof value === "string" ? wellFormed(value) : files.push(await sentPart(value)) - 1,
    ]);
  }
  const ofFiles = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (bytes.byteLength - ofFiles > limits.inputBytes) throw new DoorProblem(tooLarge(limits));
  return { files, with: inputOfFields(fields) };
}

/** The input that the fields of a form make, with what stands for each file. */
function inputOfFields(fields: ReceivedForm<unknown>["fields"]): InputWithFiles["with"] {
  let base: JsonObject = {};
  const added: (typeof fields)[number][] = [];
  for (const [name, value] of fields) {
    if (name === "input" && typeof value === "string") base = readBase(value);
    else added.push([name, value]);
  }
  return (stored) => {
    const lists = new Map<string, Json[]>();
    for (const [name, value] of added) {
      const one = typeof value === "string" ? value : (stored[value] ?? null);
      lists.set(name, [...(lists.get(name) ?? []), one]);
    }
    const whole = [...lists].map(([name, list]): [string, Json] => [
      name,
      name === "files" || list.length > 1 ? list : (list[0] ?? null),
    ]);
    return { ...base, ...Object.fromEntries(whole) };
  };
}

function readBase(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseLosslessJson(text);
  } catch {
    value = undefined;
  }
  const parsed = json.safeParse(value);
  if (parsed.success && isJsonObject(parsed.data) && wellFormed(value) === value) return parsed.data;
  throw new DoorProblem(problems.badRequest('The field "input" has to be a JSON object.'));
}
