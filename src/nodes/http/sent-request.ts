import { z } from "zod";
import type { Json, JsonObject } from "../../engine/json.ts";
import { httpMethods } from "./http-methods.ts";
import type { HttpRequest } from "./send-request.ts";

const texts = z.record(z.string(), z.string());

const sentRequest = z.object({
  method: z.enum(httpMethods),
  url: z.string(),
  query: texts.default({}),
  headers: texts.default({}),
  body: z.json().optional(),
  /** A stored credential signed it on the way out; the secret itself is in no log. */
  signed: z.boolean().default(false),
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
  if (credential) sent["signed"] = true;
  return [`${method} ${url}`.slice(0, 300), { request: sent, ...(callId === undefined ? {} : { callId }) }];
}

const line = z.object({ request: sentRequest, callId: z.string().optional() });

/** Reads the data of such a line; null for any other. */
export function readSentLine(data: Json | undefined): z.infer<typeof line> | null {
  const parsed = line.safeParse(data);
  return parsed.success ? parsed.data : null;
}
