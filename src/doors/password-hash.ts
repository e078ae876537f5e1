/** OWASP's password storage advice asks for more; this one is shared by all visitors and guarded by a limit of tries a minute. */
const passwordRounds = 100_000;

/** So many take a second; a hash that asks for more was not made here. */
const mostRounds = 1_000_000;

/** A salted hash of a password as `pbkdf2-sha256$<rounds>$<salt>$<hash>`, both in hex. */
export async function hashPassword(password: string, webCrypto: Crypto): Promise<string> {
  const salt = webCrypto.getRandomValues(new Uint8Array(16));
  return `pbkdf2-sha256$${passwordRounds}$${hex(salt)}$${hex(await derive(password, salt, passwordRounds, webCrypto))}`;
}

/** Whether a password has this hash; false for anything that is no such hash. Takes as long for every password. */
export async function isPassword(password: string, stored: string, webCrypto: Crypto): Promise<boolean> {
  const [, rounds, salt, hash] = /^pbkdf2-sha256\$(\d{1,7})\$([0-9a-f]{32})\$([0-9a-f]{64})$/.exec(stored) ?? [];
  if (rounds === undefined || salt === undefined || hash === undefined) return false;
  if (Number(rounds) < 1 || Number(rounds) > mostRounds) return false;
  const bytes = Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const derived = hex(await derive(password, bytes, Number(rounds), webCrypto));
  let difference = 0;
  for (let at = 0; at < hash.length; at += 1) difference |= hash.charCodeAt(at) ^ derived.charCodeAt(at);
  return difference === 0;
}

async function derive(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
  webCrypto: Crypto,
): Promise<Uint8Array> {
  const key = await webCrypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, [
    "deriveBits",
  ]);
  const bits = await webCrypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, 256);
  return new Uint8Array(bits);
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
