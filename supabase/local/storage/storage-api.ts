import { BodyRefused, bodyRefusal, receiveBody } from "../../functions/_shared/receive-body.ts";
import { maxFileBytes } from "../../../src/engine/file/file.ts";
import { filesBucket } from "../../functions/_shared/files/bucket.ts";
import { type ByteRange, readRange } from "../../functions/_shared/files/byte-range.ts";
import type { IdentifySender } from "../http/request-sender.ts";
import { streamedAnswer } from "../http/send-answer.ts";
import type { StoredObjects } from "./stored-objects.ts";

/** Answers below /storage/v1 as Supabase's Storage does. */
export type StorageApi = (request: Request) => Promise<Response>;

const objectPath = new RegExp(`^/storage/v1/object/${filesBucket}/([^?#]*)$`);

/**
 * The part of Supabase's Storage that the functions use: one private bucket in which the service role writes, reads and deletes
 * objects. Nobody else gets any further, since the bucket has no policy. Bytes pass without being held.
 */
export function createStorageApi(objects: StoredObjects, identify: IdentifySender): StorageApi {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, name] = objectPath.exec(pathname) ?? [];
    if (name === undefined) return refuse(404, "not_found", "There is no such object.");
    if ((await identify(request.headers)).kind !== "service")
      return refuse(403, "Unauthorized", "Only the studio's own functions reach stored files.");
    switch (request.method) {
      case "POST":
        return write(objects, name, request);
      case "GET": {
        const found = await objects.read(name, (size) => partOf(request, size));
        if (!found) return refuse(404, "not_found", "There is no such object.");
        const headers = { "content-type": "application/octet-stream", "cache-control": "no-store" };
        if (!found.part) {
          const whole = { ...headers, "content-length": String(found.size) };
          return streamedAnswer(found.bytes, { status: 200, headers: whole });
        }
        const { first, last } = found.part;
        const range = {
          "content-range": `bytes ${first}-${last}/${found.size}`,
          "content-length": String(last - first + 1),
        };
        return streamedAnswer(found.bytes, { status: 206, headers: { ...headers, ...range } });
      }
      case "DELETE":
        return (await objects.remove(name))
          ? Response.json({ message: "Successfully deleted" })
          : refuse(404, "not_found", "There is no such object.");
      default:
        return refuse(405, "method_not_allowed", "Use POST, GET or DELETE.");
    }
  };
}

function partOf(request: Request, size: number): ByteRange | undefined {
  const range = readRange(request.headers.get("range") ?? "", size);
  return range === "unsatisfiable" ? undefined : range;
}

async function write(objects: StoredObjects, name: string, request: Request): Promise<Response> {
  const terms = { maxBytes: maxFileBytes };
  try {
    switch (await objects.write(name, receiveBody(request, terms))) {
      case "written":
        return Response.json({ Key: `${filesBucket}/${name}` });
      case "exists":
        return refuse(409, "Duplicate", "The object is there already.");
      case "no-name":
        return refuse(400, "InvalidKey", "This is no name of an object.");
    }
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw error;
    const { status, message } = bodyRefusal(error.problem, terms);
    return refuse(status, "InvalidRequest", message);
  }
}

function refuse(status: number, error: string, message: string): Response {
  return Response.json({ statusCode: String(status), error, message }, { status });
}
