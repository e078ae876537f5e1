import { z } from "zod/mini";
import type { DoorCall } from "../../_shared/door.ts";
import { bodyProblem, DoorProblem, problems } from "../../_shared/door-problem.ts";
import { bodyRefusal, BodyRefused, receiveBody } from "../../_shared/receive-body.ts";
import { type Json, parseJson } from "../../../../src/engine/json.ts";
import { type MetadataChange, readMetadata } from "../../../../src/engine/knowledge/document-metadata.ts";
import { visibleName } from "../../../../src/engine/text/visible-name.ts";
import { wellFormedText } from "../../../../src/engine/well-formed.ts";

/** Bytes of a file that is the body; it passes without being held. */
const maxFileBytes = 50 * 1024 * 1024;

/** Bytes of a form or of JSON, which is held. */
const maxHeldBytes = 16 * 1024 * 1024;

/** A document as a program sends it. */
interface SentDocument {
  name: string;
  /** Where it came from, or empty. */
  source: string;
  /** What it is found by besides its text; absent where nothing is said of that. */
  metadata?: MetadataChange;
  mediaType: string;
  bytes: AsyncIterable<Uint8Array>;
}

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(500), z.regex(/^\P{Cc}*$/u));
const source = z._default(z.string().check(z.maxLength(8_192)), "");
const metadata = z.optional(z.json());
const textSchema = z.strictObject({ name, text: z.string(), source, metadata });

const expected =
  'Send the file as the body with "?name=handbook.pdf", a form with "file", or JSON { "name": "…", "text": "…" }. A name has 1 to 500 characters, a source at most 8,192.';

const refused = () => new DoorProblem(problems.badRequest(expected));

/** What a call brings: a file, whose bytes are still to come, a form or a text. Throws DoorProblem. */
export async function readSentDocument(call: DoorCall): Promise<SentDocument> {
  const type = call.request.headers.get("content-type") ?? "";
  const query = call.url.searchParams;
  if (/^multipart\/form-data\b/i.test(type)) {
    return fromForm(await call.readBody(maxHeldBytes), type, query);
  }
  if (query.has("name")) {
    const given = {
      name: query.get("name"),
      source: query.get("source") ?? undefined,
      metadata: jsonIn(query.get("metadata") ?? undefined),
    };
    return named(given, type, receiveBody(call.request, { maxBytes: maxFileBytes, dropsRest: true }));
  }
  const parsed = textSchema.safeParse(await call.readJson(maxHeldBytes));
  if (!parsed.success) throw refused();
  const { text, ...given } = parsed.data;
  return named(given, "text/plain", oneChunk(new TextEncoder().encode(text)));
}

async function fromForm(body: Uint8Array<ArrayBuffer>, type: string, query: URLSearchParams): Promise<SentDocument> {
  const form = await new Response(body, { headers: { "content-type": type } }).formData().catch(() => {
    throw refused();
  });
  const file = form.get("file");
  if (!(file instanceof File)) throw refused();
  const text = (field: string) => {
    const value = form.get(field) ?? query.get(field);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const given = { name: text("name") ?? file.name, source: text("source"), metadata: jsonIn(text("metadata")) };
  return named(given, file.type, oneChunk(new Uint8Array(await file.arrayBuffer())));
}

/** Metadata beside a file are JSON as text. */
function jsonIn(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed;
  throw new DoorProblem(problems.badRequest('The metadata are no JSON. Write them like {"team":"sales","year":2025}.'));
}

function metadataIn(given: Json): MetadataChange {
  const read = readMetadata(given);
  if (read.ok) return read.metadata;
  throw new DoorProblem(problems.badRequest(`${read.message} ${read.hint}`));
}

const namedSchema = z.object({ name, source, metadata });

function named(given: unknown, mediaType: string, bytes: AsyncIterable<Uint8Array>): SentDocument {
  const parsed = namedSchema.safeParse(given);
  if (!parsed.success) throw refused();
  const { name: shown, source: from, metadata: noted } = parsed.data;
  return {
    ...(noted === undefined ? {} : { metadata: metadataIn(noted) }),
    name: visibleName(wellFormedText(shown)),
    source: wellFormedText(from).replaceAll("\0", ""),
    mediaType,
    bytes,
  };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Why the bytes of a file did not come, as doors say it; anything else stays as it is. */
export function notReceived(error: unknown): unknown {
  if (!(error instanceof BodyRefused)) return error;
  return new DoorProblem(bodyProblem(bodyRefusal(error.problem, { maxBytes: maxFileBytes })));
}
