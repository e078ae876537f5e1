import { z } from "zod/mini";
import { frameMessages } from "../doors/chat-frame.ts";
import type { Surroundings } from "./chat-session.ts";

const ticket = z.string().check(z.minLength(1), z.maxLength(200));

/**
 * The page is served with `Content-Security-Policy: sandbox` and so has an origin that nothing else has, which keeps it from the
 * studio's session and leaves it without cookies and storage. Its session lives in memory. The embedded server writes into the
 * page what this browser keeps for it, out of a cookie that only requests for the page itself carry; a static host does not, and
 * there the session ends with the page. So does a token, without which the page opens no session. The open conversation stands in
 * the address, after the `#`.
 */
export function pageSurroundings(view: Window): Surroundings {
  const { document, location } = view;
  const written = (id: string): string | null => {
    const text = document.getElementById(id)?.textContent ?? "null";
    return ticket.safeParse(JSON.parse(text)).data ?? null;
  };
  const hash = location.hash.slice(1);
  const threadId = z.uuid().safeParse(hash);
  const draft = draftIn(hash);
  return {
    browser: written("switchyard-browser"),
    page: written("switchyard-page"),
    threadId: threadId.success ? threadId.data : null,
    draft,
    showThread: (id) => {
      if (location.hash.slice(1) !== (id ?? "")) location.replace(`#${id ?? ""}`);
    },
    reload: (text) => {
      location.replace(`#${draftMark}${encodeURIComponent(text)}`);
      location.reload();
    },
    identity: (sites) => askParent(view, sites),
  };
}

/**
 * Stands in the address before what was typed in a page that has loaded itself anew: with an origin of its own, a page keeps neither
 * storage nor `history.state`. Anybody may write such a link, so the visitor is asked to check what stands there.
 */
const draftMark = "draft=";

function draftIn(hash: string): string | null {
  if (!hash.startsWith(draftMark)) return null;
  try {
    return decodeURIComponent(hash.slice(draftMark.length));
  } catch {
    return "";
  }
}

const identityMessage = z.object({
  type: z.literal(frameMessages.identity),
  identity: z.string().check(z.maxLength(4_000)),
});

/** Milliseconds that an embedding site has to fetch what it signs. */
const identityPatience = 10_000;

/**
 * Says `switchyard-chat-ready` to the page that frames this one, and waits for what it vouches for: a message
 * `{ type: "switchyard-chat-identity", identity }`. It counts from the frame's own parent on a listed site alone.
 */
export function askParent(view: Window, sites: readonly string[]): Promise<string | null> {
  const { parent } = view;
  if (parent === view) return Promise.resolve(null);
  return new Promise((resolve) => {
    const end = (identity: string | null) => {
      view.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(identity);
    };
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      const message = identityMessage.safeParse(data);
      if (source === parent && sites.includes(origin) && message.success) end(message.data.identity);
    };
    const timer = setTimeout(() => end(null), identityPatience);
    view.addEventListener("message", hear);
    // It holds nothing, so that any page may hear it.
    parent.postMessage({ type: frameMessages.ready }, "*");
  });
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
