/**
 * What the embedded gateway gives a browser to keep for one chat page: 32 random bytes and their HMAC-SHA256 under a key that the
 * gateway and the functions share. A client that makes one up is not believed.
 */
export async function makeBrowserTicket(slug: string, serviceKey: string): Promise<string> {
  const random = base64url(crypto.getRandomValues(new Uint8Array(32)));
  return `${random}.${await seal(random, slug, serviceKey)}`;
}

/** Whether a ticket was made here, for this page. */
export async function isBrowserTicket(ticket: string, slug: string, serviceKey: string): Promise<boolean> {
  const [, random, mac] = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/.exec(ticket) ?? [];
  if (random === undefined || mac === undefined) return false;
  const wanted = await seal(random, slug, serviceKey);
  let difference = 0;
  for (let at = 0; at < wanted.length; at += 1) difference |= wanted.charCodeAt(at) ^ mac.charCodeAt(at);
  return difference === 0;
}

async function seal(random: string, slug: string, serviceKey: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  // The purpose is part of the key, so that the service key signs nothing else's texts.
  const key = await crypto.subtle.importKey("raw", bytes(`chat browser ${serviceKey}`), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(`${slug} ${random}`))));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
