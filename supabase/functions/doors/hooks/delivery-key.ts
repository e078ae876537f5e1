import type { HookDoorConfig } from "../../../../src/doors/hook-door.ts";
import { deliveryOf } from "../../../../src/doors/hook-scheme.ts";
import type { Json } from "../../../../src/engine/json.ts";
import { sha256 } from "../../_shared/door.ts";
import { bytesOf, toHex } from "../../_shared/webhooks/signature-bytes.ts";
import { type ArrivedHook, signatureOf } from "../../_shared/webhooks/verify-hook.ts";

/** By what a delivery is known when it comes again, as `studio_hook_begin` takes it. Hashes are SHA-256 in hex. */
export interface DeliveryKey {
  key: string;
  /** Of the body that came with a number; null where the key covers it. */
  body: string | null;
  /** Known for a day, or as long as the secret that signed it. */
  lasts: "day" | "secret";
}

/**
 * What tells a delivery, whose sender is known, from all others: what its signature covers, for nothing else is the sender's own
 * word. A signature of the body alone is the key for as long as its secret is there, unless the owner says that equal bodies are
 * different events. Where a time is signed as well, it is the number that is signed, or the signature; where nothing is, the
 * number that came with it. Undefined where nothing tells it apart.
 */
export async function deliveryKey(
  { scheme, equalBodiesDiffer }: HookDoorConfig,
  arrived: ArrivedHook,
  body: Json,
): Promise<DeliveryKey | undefined> {
  const proof = signatureOf(scheme, arrived);
  if (proof?.covers === "body" && !equalBodiesDiffer)
    return { key: await sha256(`signature ${proof.signature}`), body: null, lasts: "secret" };
  const number = deliveryOf(scheme, arrived.headers, body);
  if (number !== undefined)
    return { key: await sha256(number), body: await sha256(JSON.stringify(body)), lasts: "day" };
  if (proof?.covers !== "time") return undefined;
  const digest = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(arrived.body))));
  return { key: await sha256(`signed ${proof.time} ${digest}`), body: null, lasts: "day" };
}
