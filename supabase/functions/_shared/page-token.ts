import { isTicket, makeTicket } from "./browser-ticket.ts";

/** Seconds within which a page that was served may open a session. */
const lifetime = 600;

/**
 * What a chat page carries that the embedded gateway has served: proof that a request comes from that page, which another site
 * can neither read nor ask for, since pages with the origin `null` are all alike. It holds for one page and the network that it
 * was served to, for ten minutes; that it serves once is seen to where a session is opened. `now`: seconds since 1970.
 */
export async function makePageToken(slug: string, network: string, serviceKey: string, now: number): Promise<string> {
  const until = String(Math.floor(now) + lifetime);
  return `${until}.${await makeTicket("chat page", holder(slug, network, until), serviceKey)}`;
}

/** Whether a token was made here, for this page and this network, in the last ten minutes. */
export async function isPageToken(
  token: string,
  { slug, network, serviceKey, now }: { slug: string; network: string; serviceKey: string; now: number },
): Promise<boolean> {
  const [, until = "", ticket = ""] = /^(\d{1,12})\.(.+)$/.exec(token) ?? [];
  return Number(until) >= now && (await isTicket(ticket, "chat page", holder(slug, network, until), serviceKey));
}

const holder = (slug: string, network: string, until: string): string => `${slug} ${network} ${until}`;
