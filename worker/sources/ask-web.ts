import { createHash } from "node:crypto";
import { z } from "zod/mini";
import type { Host } from "../../src/engine/host.ts";
import { NoAnswer, type SqlDoor } from "../sql-door.ts";
import { crawlerName, type RobotsCache } from "./robots-cache.ts";
import type { WebAnswer } from "./web-answer.ts";

/** Milliseconds between two requests of a host, and the most that its robots.txt may ask for. */
export const usualGapMs = 1_000;
const longestGapMs = 30_000;
const maxRedirects = 5;

const fetched = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
  truncated: z.boolean(),
  error: z.optional(z.object({ message: z.string(), hint: z.string() })),
});

interface AskOptions {
  owner: string;
  host: Pick<Host, "callFunction" | "sleep">;
  door: Pick<SqlDoor, "ask">;
  robots: RobotsCache;
  /** Milliseconds between two requests of a host. */
  gapMs: number;
  signal: AbortSignal;
}

interface Question {
  url: string;
  /** Of the answer that is known already. */
  etag?: string | null;
  lastModified?: string | null;
  followsRedirects: boolean;
}

/** Asks the web for a text. */
export type AskWeb = (question: Question) => Promise<WebAnswer>;

/**
 * Asks hosts for pages through the guarded way out, as their robots.txt allow and no faster than once in a while. Every redirect is
 * checked like an address of its own. Rejects with NoAnswer where the way out itself does not answer.
 */
export function createAskWeb({ owner, host, door, robots, gapMs, signal }: AskOptions): AskWeb {
  async function askOnce(url: string, { etag, lastModified }: Partial<Question>, gap: number): Promise<WebAnswer> {
    const [row] = await door.ask("takeHostTurn", [owner, turnName(url), Math.round(gap)]);
    await host.sleep(z.number().parse(row?.["answer"]), signal);
    const headers = {
      "user-agent": crawlerName,
      accept: "text/html, application/xhtml+xml, application/xml;q=0.9, text/*;q=0.8, */*;q=0.5",
      ...(etag ? { "if-none-match": etag } : {}),
      ...(lastModified ? { "if-modified-since": lastModified } : {}),
    };
    const called = await host.callFunction("execute-http", { url, headers, followRedirects: false }, { signal });
    if (called.ok) return answerOf(url, fetched.parse(called.body));
    if (called.error.retryable) throw new NoAnswer(called.error.message);
    return { type: "failed", refused: false, error: called.error };
  }

  async function askForRobots(origin: string): Promise<WebAnswer> {
    let url = `${origin}/robots.txt`;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await askOnce(url, {}, gapMs);
      if (answer.type !== "moved" || redirects === maxRedirects) return answer;
      url = answer.url;
    }
  }

  return async ({ url, followsRedirects, ...known }) => {
    let address = url;
    for (let redirects = 0; ; redirects += 1) {
      const { origin } = new URL(address);
      const rules = await robots.of(origin, () => askForRobots(origin));
      if (!rules.ok) return failed(rules.message, "It is tried again with the next reload.");
      if (!rules.robots.allows(address)) {
        return failed(
          "The robots.txt of the host does not allow this page.",
          "Ask the host's owner, or exclude the page.",
        );
      }
      const delayMs = Math.min((rules.robots.delay ?? 0) * 1_000, longestGapMs);
      const answer = await askOnce(address, redirects === 0 ? known : {}, Math.max(gapMs, delayMs));
      if (answer.type !== "moved" || !followsRedirects) return answer;
      if (redirects === maxRedirects) {
        return failed(
          `The address redirects more than ${maxRedirects} times.`,
          "Use the address that it redirects to in the end.",
        );
      }
      address = answer.url;
    }
  };
}

function answerOf(url: string, { statusCode, headers, body, truncated, error }: z.infer<typeof fetched>): WebAnswer {
  if (error) return { type: "failed", refused: false, error };
  const location = headers["location"];
  if (statusCode === 304) return { type: "same" };
  if (statusCode >= 300 && statusCode < 400 && location !== undefined && URL.canParse(location, url)) {
    const next = new URL(location, url);
    next.hash = "";
    if (!/^https?:$/.test(next.protocol)) return failed(`The address redirects to ${next.protocol}//…`, "Exclude it.");
    return { type: "moved", url: next.href };
  }
  if (statusCode === 404 || statusCode === 410) {
    const hint = "Check the address.";
    return { type: "gone", error: { message: `The host answered with status ${statusCode}: no such page.`, hint } };
  }
  if (statusCode < 200 || statusCode > 299) {
    const hint = "Open the address in a browser to see whether it asks for a sign-in.";
    const message = `The host answered with status ${statusCode}.`;
    return { ...failed(message, hint), refused: statusCode >= 400 && statusCode < 500 && statusCode !== 429 };
  }
  if (truncated) return failed("The page is longer than 5 MB, or took too long.", "Add what you need of it as a file.");
  const contentType = headers["content-type"] ?? "";
  if (body === null || body.startsWith("[binary, ")) {
    return failed(`The address leads to ${contentType || "a file"}, not to text.`, "Add it as a file, or exclude it.");
  }
  return {
    type: "page",
    url,
    contentType,
    etag: headers["etag"]?.slice(0, 1_000) ?? null,
    lastModified: headers["last-modified"]?.slice(0, 200) ?? null,
    body,
    bytes: Buffer.byteLength(body),
  };
}

function failed(message: string, hint: string): Extract<WebAnswer, { type: "failed" }> {
  return { type: "failed", refused: false, error: { message, hint } };
}

/** One for each host, whatever its name is made of. */
function turnName(url: string): string {
  const { host } = new URL(url);
  return host.length <= 300 ? host : createHash("sha256").update(host).digest("hex");
}
