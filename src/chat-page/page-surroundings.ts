import { z } from "zod";
import type { Surroundings } from "./chat-session.ts";

const ticket = z.string().min(1).max(200);

/**
 * The page is served with `Content-Security-Policy: sandbox` and so has an origin that nothing else has, which keeps it from the
 * studio's session and leaves it without cookies and storage. Its session lives in memory. The embedded server writes into the
 * page what this browser keeps for it, out of a cookie that only requests for the page itself carry; a static host does not, and
 * there the session ends with the page. The open conversation stands in the address, after the `#`.
 */
export function pageSurroundings(document: Document): Surroundings {
  const { location } = document;
  const text = document.getElementById("switchyard-browser")?.textContent ?? "null";
  const browser = ticket.safeParse(JSON.parse(text));
  const threadId = z.uuid().safeParse(location.hash.slice(1));
  return {
    browser: browser.success ? browser.data : null,
    threadId: threadId.success ? threadId.data : null,
    showThread: (id) => {
      if (location.hash.slice(1) !== (id ?? "")) location.replace(`#${id ?? ""}`);
    },
    identity: async () => null,
  };
}

/** Whether the page may be shown where it is: by itself, or in frames of listed sites alone. Headers say the same where a server sends them. */
export function mayShow(view: Window, sites: readonly string[]): boolean {
  if (view.parent === view) return true;
  const { ancestorOrigins } = view.location as { ancestorOrigins?: Iterable<string> };
  const above = ancestorOrigins ? [...ancestorOrigins] : [originOf(view.document.referrer)];
  return above.every((origin) => sites.includes(origin));
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "";
}
