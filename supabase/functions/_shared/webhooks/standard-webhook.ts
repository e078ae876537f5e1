import { fromBase64, hmac, joinParts, sameBytes, toBase64 } from "./signature-bytes.ts";

/** Begins a secret's text, as the specification has it: https://github.com/standard-webhooks/standard-webhooks */
const prefix = "whsec_";

/** Seconds that a request may be old, or a sender's clock ahead. */
export const toleranceSeconds = 300;

/** The key that a secret's text stands for; undefined where it is no base64 of 16 to 64 bytes. */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
  return bytes !== undefined && bytes.byteLength >= 16 && bytes.byteLength <= 64 ? bytes : undefined;
}

/** A fresh secret of 32 bytes. */
export function newStandardSecret(): string {
  return `${prefix}${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** What one signature is made of. `timestamp`: seconds since 1970. */
interface SignedMessage {
  id: string;
  timestamp: number;
  body: string | Uint8Array;
}

async function signature(key: Uint8Array, { id, timestamp, body }: SignedMessage): Promise<Uint8Array> {
  return hmac(key, joinParts(`${id}.${timestamp}.`, body));
}

/** The headers of a request signed as Standard Webhooks say, with each of the secrets. Throws for a secret that is none. */
export async function standardHeaders(
  secrets: readonly string[],
  message: SignedMessage,
): Promise<{ "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string }> {
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const key = standardKey(secret);
      if (key === undefined) throw new Error("The secret of a webhook has to be base64 of 16 to 64 bytes.");
      return `v1,${toBase64(await signature(key, message))}`;
    }),
  );
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

/** Whether one of the signatures in the header fits the message with this secret. */
export async function hasStandardSignature(header: string, secret: string, message: SignedMessage): Promise<boolean> {
  const key = standardKey(secret);
  if (key === undefined) return false;
  const wanted = await signature(key, message);
  let fits = false;
  for (const one of header.split(" ").slice(0, 10)) {
    const [version, text = ""] = one.split(",");
    const given = version === "v1" ? fromBase64(text) : undefined;
    if (given !== undefined && (await sameBytes(given, wanted))) fits = true;
  }
  return fits;
}
