import { isBrowserTicket, makeBrowserTicket } from "../../functions/_shared/browser-ticket.ts";
import { makePageToken } from "../../functions/_shared/page-token.ts";
import { chatPageSlug } from "./chat-site.ts";

const cookieName = "switchyard-chat";
const monthSeconds = 30 * 86_400;

/**
 * The chat page with what its browser keeps for it, and with a token for the session that it may open. The page's sandbox leaves
 * it without cookies, so they come with the request for the page: the ticket in the cookie (HttpOnly, this page's path alone) is
 * written into the page as data. No request of a script carries that cookie, and no page of another origin can read this answer.
 */
export async function withBrowserTicket(
  request: Request,
  page: (request: Request) => Promise<Response>,
  { serviceKey, isSecure, network }: { serviceKey: string; isSecure: boolean; network: string },
): Promise<Response> {
  const slug = chatPageSlug(new URL(request.url).pathname) ?? "";
  const plain = await page(new Request(request.url, { method: "GET" }));
  if (plain.status !== 200) return plain;
  const kept = cookieOf(request);
  const ticket =
    kept !== null && (await isBrowserTicket(kept, slug, serviceKey)) ? kept : await makeBrowserTicket(slug, serviceKey);
  const token = await makePageToken(slug, network, serviceKey, Date.now() / 1_000);
  const data = (id: string, text: string) =>
    `<script type="application/json" id="${id}">${JSON.stringify(text)}</script>`;
  const scripts = data("switchyard-browser", ticket) + data("switchyard-page", token);
  const html = (await plain.text()).replace(/<\/head>/i, `${scripts}</head>`);
  const flags = `Path=/c/${slug}; Max-Age=${monthSeconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return new Response(request.method === "HEAD" ? null : html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      "set-cookie": `${cookieName}=${ticket}; ${flags}`,
    },
  });
}

function cookieOf(request: Request): string | null {
  const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? null;
}
