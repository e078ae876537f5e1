import { z } from "zod/mini";
import type { FileValue } from "../../engine/file/file.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { type HttpMethod, httpMethods } from "./http-methods.ts";

/** Parameters of an address by name; a list is a name that stands there several times. */
export type Query = Record<string, string | string[]>;

/** A field of a form with files. */
export type FormPart = { name: string; value: string } | { name: string; file: FileValue };

/** One request through the `execute-http` edge function. Times in milliseconds. */
export interface HttpRequest {
  method: HttpMethod;
  url: string;
  headers?: Record<string, string>;
  query?: Query;
  /** A text is sent as it is, other JSON as JSON. */
  body?: Json;
  /** Instead of a body: its bytes. */
  file?: FileValue;
  /** Instead of a body: the fields of a form with files. */
  parts?: FormPart[];
  /** What becomes of an answer that is not text; `text` where it is absent. */
  binary?: "file" | "text";
  /** Id of a stored HTTP credential; empty for none. */
  credential?: string;
  followRedirects?: boolean;
  maxRedirects?: number;
  timeoutMs?: number;
  /** The only hosts that may be called, when given: `host`, `host:port`, `*.domain`. */
  allowedHosts?: string[];
}

const texts = z.record(z.string(), z.string());

const sentRequest = z.object({
  method: z.enum(httpMethods),
  url: z.string(),
  query: z._default(z.record(z.string(), z.union([z.string(), z.array(z.string())])), {}),
  headers: z._default(texts, {}),
  body: z.optional(z.json()),
  /** A stored credential signed it on the way out; the secret itself is in no log. */
  signed: z._default(z.boolean(), false),
});

/** A request as the log of a run keeps it: everything but the secret that signed it. */
export type SentRequest = z.infer<typeof sentRequest>;

/** The line of a run's log that tells of a request; `callId` joins it with the tool call that it belongs to. */
export function sentLine(request: HttpRequest, callId?: string): [message: string, data: JsonObject] {
  const { method, url, query, headers, body, credential } = request;
  const sent: JsonObject = { method, url };
  if (query && Object.keys(query).length > 0) sent["query"] = query;
  if (headers && Object.keys(headers).length > 0) sent["headers"] = headers;
  if (body !== undefined) sent["body"] = body;
  if (request.file) sent["body"] = request.file;
  if (request.parts) {
    const fields = request.parts.map((part) => [part.name, "file" in part ? part.file : part.value]);
    sent["body"] = Object.fromEntries(fields);
  }
  if (credential) sent["signed"] = true;
  return [`${method} ${url}`.slice(0, 300), { request: sent, ...(callId === undefined ? {} : { callId }) }];
}

const line = z.object({ request: sentRequest, callId: z.optional(z.string()) });

/** Reads the data of such a line; null for any other. */
export function readSentLine(data: Json | undefined): z.infer<typeof line> | null {
  const parsed = line.safeParse(data);
  return parsed.success ? parsed.data : null;
}
