import type { IncomingMessage, ServerResponse } from "node:http";
import { isStrangersFile } from "./chat-site.ts";
import type { Lane } from "./lane.ts";
import type { OriginGuard } from "./origin-guard.ts";
import { chatFileHeaders } from "./security-headers.ts";
import { answerWith, type FileAnswer, type SiteFiles } from "./site-files.ts";

/** As the build names files by what they hold: nothing in these has to be decoded. */
const filePath = /^\/(?:assets|chat-page|share-page)\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** With any of these the request has a body. */
const bodyHeaders = ["content-length", "transfer-encoding", "expect"];

/**
 * The short way for the site's own files, which are most of what a page asks for: those that are in memory already. The checks,
 * the headers and the answer are the same as on the long way, which takes every other request.
 */
export function createSiteLane(
  files: Pick<SiteFiles, "held">,
  { guard, headers }: { guard: OriginGuard; headers: Record<string, string> },
): Lane {
  return (incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    if ((method !== "GET" && method !== "HEAD") || !filePath.test(url)) return false;
    const file = files.held(url);
    if (!file || bodyHeaders.some((name) => incoming.headers[name] !== undefined)) return false;
    const get = (name: string) => headerOf(incoming, name);
    if (guard({ method, url: `http://${get("host")}${url}`, headers: { get } }) !== null) return false;
    const asked = { acceptEncoding: get("accept-encoding"), ifNoneMatch: get("if-none-match") };
    const usual = isStrangersFile(url) ? chatFileHeaders : headers;
    answerWith(file, asked).then(
      (answer) => send(answer, usual, method, outgoing),
      () => outgoing.destroy(),
    );
    return true;
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

function send(answer: FileAnswer, usual: Record<string, string>, method: string, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.status, { ...answer.headers, ...usual });
  outgoing.end(method === "HEAD" ? undefined : answer.body);
}
