import { z } from "zod/mini";
import type { FileValue } from "../../../src/engine/file/file.ts";
import { mediaTypeOf } from "../../../src/engine/file/file-name.ts";
import { longestRequestMs } from "../../../src/nodes/http/http-methods.ts";
import { attachHttpCredential, mayCarrySecret } from "../_shared/attach-http-credential.ts";
import { secretValues } from "../_shared/credential-secrets.ts";
import {
  credentialTypes,
  isHttpCredential,
  type Credential,
  type CredentialType,
} from "../_shared/credential-types.ts";
import type { ByteShare } from "../_shared/byte-budget.ts";
import type { OwnConnections } from "../_shared/connection-pool.ts";
import { describeBody } from "./describe-body.ts";
import { isFileType, type KeepFile, nameOfAnswer } from "./received-file.ts";
import { fileBody, multipartBody, type OwnFiles, partSchema } from "./sent-files.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { failure, type Failure, type Outcome, success } from "../_shared/failure.ts";
import { guardedFetch, type AttachSecret, type GuardOptions } from "../_shared/guarded-fetch.ts";
import { parseHostList } from "../_shared/host-list.ts";
import { JsonLimitError, parseJson } from "../_shared/json-scan.ts";
import type { RequestBody } from "../_shared/pinned-connection.ts";
import { createRedactor, type Redactor } from "../_shared/redact.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import type { TargetPolicy } from "../_shared/target-policy.ts";

const timeoutMs = 30_000;

const scalar = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String));

/** What a caller may ask for. Times in milliseconds. */
const executeHttpRequestSchema = z.strictObject({
  method: z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((method) => method.toUpperCase()),
      ),
      z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
    ),
    "GET",
  ),
  url: z.string().check(z.minLength(1), z.maxLength(8_192)),
  headers: z._default(z.record(z.string(), scalar), {}),
  /** A list is a name that stands there several times. */
  query: z._default(z.record(z.string(), z.union([scalar, z.array(scalar).check(z.maxLength(1_000))])), {}),
  /** A text is sent as it is; any other JSON is sent as JSON. */
  body: z.optional(z.json()),
  /** Instead of `body`: the id of a file of the caller, whose bytes are sent as they are. */
  file: z.optional(z.uuid()),
  /** Instead of `body`: the fields of a form with several parts. */
  parts: z.optional(z.array(partSchema).check(z.maxLength(100))),
  /** What becomes of an answer that is not text: `file` stores it as a file of the caller, `text` describes it in brackets. */
  binary: z._default(z.enum(["file", "text"]), "text"),
  /** Id of a credential of an HTTP type. */
  credential: z.nullish(z.string().check(z.minLength(1), z.maxLength(100))),
  followRedirects: z._default(z.boolean(), true),
  maxRedirects: z._default(z.int().check(z.minimum(0), z.maximum(5)), 5),
  timeoutMs: z._default(z.int().check(z.minimum(1)), timeoutMs),
  /** When given, the only hosts that may be called: `host`, `host:port` or `*.domain`. */
  allowedHosts: z.optional(z.array(z.string().check(z.maxLength(260))).check(z.maxLength(100))),
});

/**
 * The answer of the target. `success` is true for a 2xx status. `body` is text as received, a description in brackets for
 * binary data, and null when there was no answer or the answer is `file`. `truncated` says that the body was cut at 5 MiB or by time.
 */
export interface ExecuteHttpResult {
  success: boolean;
  /** 0 when there was no answer. */
  statusCode: number;
  headers: Record<string, string>;
  body: string | null;
  file?: FileValue;
  truncated: boolean;
  error?: Failure;
}

/** A credential whose secret is read only when it is about to be sent. */
export interface OpenableCredential {
  type: CredentialType;
  allowedHosts: readonly string[];
  open(): Promise<Outcome<Credential>>;
  /** Another secret after the server has refused the one that was opened; absent where there can be none. */
  renew?(refused: Credential): Promise<Outcome<Credential>>;
}

export interface ExecuteHttpDependencies {
  policy: TargetPolicy;
  /** Finds a credential of the caller. Fails when they have none with this id. */
  findCredential(id: string): Promise<Outcome<OpenableCredential>>;
  /** The files of the caller; without them none can be sent, and none is kept. */
  files?: (OwnFiles & { keep: KeepFile }) | undefined;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** Those of the caller and a credential. */
  connections?: ((credential: string | null) => OwnConnections) | undefined;
  /** Counts what the call holds in memory. */
  share?: ByteShare | undefined;
}

/**
 * Makes one HTTP call under the guard. Fails only for a request that is not valid or a credential that may not be used
 * (`invalid_config`, `invalid_credentials`); everything that happens on the way to the target is in the result's `error`.
 */
export async function executeHttp(
  input: unknown,
  dependencies: ExecuteHttpDependencies,
): Promise<Outcome<ExecuteHttpResult>> {
  const parsed = executeHttpRequestSchema.safeParse(input);
  if (!parsed.success) return describeIssues(parsed.error, "The request");
  const request = parsed.data;
  const hosts = request.allowedHosts === undefined ? null : parseHostList(request.allowedHosts, { wildcards: true });
  if (hosts !== null && hosts.rejected.length > 0) {
    const hint = "Write only the host, such as api.example.com, api.example.com:8443 or *.example.com.";
    return failure("invalid_config", `An allowed host is not a host name: ${hosts.rejected[0]?.slice(0, 80)}`, hint);
  }
  const attachment = await prepareAttachment(request.credential ?? null, dependencies);
  if (!attachment.ok) return attachment;
  const encoded = await encodeBody(request, dependencies.files);
  if (!encoded.ok) return encoded;
  const body = encoded.value;
  const isFileWanted = request.binary === "file" && request.method !== "HEAD";
  const kept = isFileWanted && dependencies.files ? keeping(dependencies.files.keep, attachment.value) : undefined;
  const send = () =>
    guardedFetch(
      { url: withQuery(request.url, request.query), method: request.method, headers: body.headers, body: body.content },
      {
        ...dependencies.policy,
        onlyHosts: hosts?.list,
        attach: attachment.value.attach,
        resolve: dependencies.resolve,
        // Other methods may do something, which must not be done twice.
        connections: ["GET", "HEAD"].includes(request.method)
          ? dependencies.connections?.(request.credential ?? null)
          : undefined,
        signal: dependencies.signal,
        followRedirects: request.followRedirects,
        maxRedirects: request.maxRedirects,
        timeoutMs: Math.min(request.timeoutMs, longestRequestMs),
        share: dependencies.share,
        take: kept?.take,
      },
    );
  let fetched = await send();
  // Refused for its token, a request has done nothing; with a new one it is another.
  if (fetched.ok && fetched.value.status === 401 && (await attachment.value.renew())) fetched = await send();
  if (!fetched.ok) return { ok: true, value: failedResult(fetched.error) };
  const { status, headers, truncated } = fetched.value;
  const redactor = attachment.value.redactor();
  const file = await kept?.file(fetched.value);
  if (file?.ok === false) return { ok: true, value: failedResult(file.error) };
  const result = { success: status >= 200 && status < 300, statusCode: status, headers: redactor.headers(headers) };
  if (file) return { ok: true, value: { ...result, body: null, file: file.value, truncated } };
  const text = redactor.text(describeBody(fetched.value.body, headers["content-type"], truncated));
  return { ok: true, value: { ...result, body: text, truncated } };
}

/** Milliseconds that a file may take to arrive: as long as every place where the functions run lets a call last. */
const fileTimeMs = 120_000;

/** Keeps the answers of one call that are files; of those that redirects or a renewed token leave behind none is. */
function keeping(keep: KeepFile, { mayRenew, redactor }: Attachment) {
  let taken: Outcome<FileValue> | undefined;
  const nameOf = (url: string, headers: Record<string, string>) =>
    redactor().text(nameOfAnswer(url, redactor().headers(headers)));
  const take: GuardOptions["take"] = ({ url, headers, body, status }) => {
    taken = undefined;
    if (status === 401 && mayRenew()) return undefined;
    if (!isFileType(headers["content-type"]) || status === 204 || status === 304 || headers["content-length"] === "0")
      return undefined;
    const file = { name: nameOf(url, headers), mediaType: mediaTypeOf(headers["content-type"]), bytes: body };
    const done = keep(file).then((outcome) => {
      taken = outcome;
      return outcome.ok ? success(undefined) : outcome;
    });
    return { within: fileTimeMs, done };
  };
  return {
    take,
    /** The file of an answer; undefined for one that is text. */
    async file(answer: { url: string; headers: Record<string, string>; body: Uint8Array; truncated: boolean }) {
      if (taken !== undefined) return taken;
      const type = answer.headers["content-type"];
      const isBinary = describeBody(answer.body, type, answer.truncated).startsWith("[binary, ");
      if (answer.truncated || answer.body.byteLength === 0 || (type ?? "") !== "" || !isBinary) return undefined;
      const bytes = (async function* () {
        yield answer.body;
      })();
      return keep({ name: nameOf(answer.url, answer.headers), mediaType: mediaTypeOf(type), bytes });
    },
  };
}

interface Attachment {
  attach: AttachSecret | undefined;
  redactor(): Redactor;
  /** Whether an answer of 401 may be followed by another attempt. */
  mayRenew(): boolean;
  /** Gets another secret where the server has refused the one that was sent; tells whether there is one. */
  renew(): Promise<boolean>;
}

async function prepareAttachment(
  id: string | null,
  dependencies: ExecuteHttpDependencies,
): Promise<Outcome<Attachment>> {
  if (id === null) {
    const redactor = () => createRedactor([]);
    return success({ attach: undefined, redactor, mayRenew: () => false, renew: async () => false });
  }
  const found = await dependencies.findCredential(id);
  if (!found.ok) return found;
  const { type, allowedHosts, open, renew } = found.value;
  if (credentialTypes[type].use !== "http") {
    const message = `A credential of type ${type} cannot be used for an HTTP request.`;
    return failure("invalid_credentials", message, "Choose one of the HTTP types.");
  }
  let secrets: string[] = [];
  let sent: Credential | undefined;
  let renewed: Credential | undefined;
  const attach: AttachSecret = async (target) => {
    const carried = mayCarrySecret(allowedHosts, target);
    if (!carried.ok) return carried;
    const opened = renewed === undefined ? await open() : success(renewed);
    if (!opened.ok) return opened;
    if (!isHttpCredential(opened.value)) throw new Error("The type of a credential changed while it was read.");
    sent = opened.value;
    secrets = [...secrets, ...secretValues(opened.value)];
    return attachHttpCredential(opened.value, target);
  };
  const renewOnce = async () => {
    if (renew === undefined || sent === undefined) return false;
    const again = await renew(sent);
    renewed = again.ok ? again.value : undefined;
    return again.ok;
  };
  const mayRenew = () => renew !== undefined && sent !== undefined && renewed === undefined;
  return success({ attach, redactor: () => createRedactor(secrets), mayRenew, renew: renewOnce });
}

interface EncodedBody {
  content: RequestBody;
  headers: Record<string, string>;
}

async function encodeBody(
  { body, file, parts, headers }: z.infer<typeof executeHttpRequestSchema>,
  files: OwnFiles | undefined,
): Promise<Outcome<EncodedBody>> {
  if (file === undefined && parts === undefined) return success(encodeText(body, headers));
  if (files === undefined) return failure("invalid_config", "Files cannot be sent here.", "Run this in the studio.");
  const sent = file === undefined ? await multipartBody(parts ?? [], files) : await fileBody(file, files);
  if (!sent.ok) return sent;
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
  // A form's type names what stands between its parts.
  const isOwn = file !== undefined && own.length < Object.keys(headers).length;
  return success({
    content: sent.value.body,
    headers: isOwn ? headers : { ...Object.fromEntries(own), "content-type": sent.value.type },
  });
}

function encodeText(
  body: z.infer<ReturnType<typeof z.json>> | undefined,
  headers: Record<string, string>,
): EncodedBody {
  if (body === undefined || body === null) return { content: null, headers };
  const content = typeof body === "string" ? body : JSON.stringify(body);
  if (Object.keys(headers).some((name) => name.toLowerCase() === "content-type")) return { content, headers };
  const type = typeof body !== "string" || isJson(body) ? "application/json" : "text/plain;charset=UTF-8";
  return { content, headers: { ...headers, "content-type": type } };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    parseJson(text);
    return true;
  } catch (error) {
    // What is too large to be looked at has at least begun like JSON.
    return error instanceof JsonLimitError;
  }
}

/** A URL that cannot be read is passed on, for the guard to say so. */
function withQuery(text: string, query: Record<string, string | string[]>): string {
  if (!URL.canParse(text) || Object.keys(query).length === 0) return text;
  const url = new URL(text);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, one);
  return url.href;
}

function failedResult(error: Failure): ExecuteHttpResult {
  return { success: false, statusCode: 0, headers: {}, body: null, truncated: false, error };
}
