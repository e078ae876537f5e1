/**
 * What the embedded gateway gives a browser to keep for one chat page. A client that makes one up is not believed.
 */
export const makeBrowserTicket = (slug: string, serviceKey: string): Promise<string> =>
  makeTicket("chat browser", slug, serviceKey);

/** Whether a ticket was made here, for this page. */
export const isBrowserTicket = (ticket: string, slug: string, serviceKey: string): Promise<boolean> =>
  isTicket(ticket, "chat browser", slug, serviceKey);

/** 32 random bytes and their HMAC-SHA256 for a purpose and a holder, under the key that only the studio's own parts have. */
export async function makeTicket(purpose: string, holder: string, serviceKey: string): Promise<string> {
  const random = base64url(crypto.getRandomValues(new Uint8Array(32)));
  return `${random}.${await seal(random, purpose, holder, serviceKey)}`;
}

/** Whether a ticket was made here, for this purpose and this holder. */
export async function isTicket(ticket: string, purpose: string, holder: string, serviceKey: string): Promise<boolean> {
  const [, random, mac] = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/.exec(ticket) ?? [];
  if (random === undefined || mac === undefined) return false;
  const wanted = await seal(random, purpose, holder, serviceKey);
  let difference = 0;
  for (let at = 0; at < wanted.length; at += 1) difference |= wanted.charCodeAt(at) ^ mac.charCodeAt(at);
  return difference === 0;
}

async function seal(random: string, purpose: string, holder: string, serviceKey: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  // The purpose is part of the key, so that the service key signs nothing else's texts.
  const key = await crypto.subtle.importKey("raw", bytes(`${purpose} ${serviceKey}`), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(`${holder} ${random}`))));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
