import { type HookScheme, hookSchemeFacts } from "../../../../src/doors/hook-scheme.ts";
import { fromHex, hmac, joinParts, sameBytes } from "./signature-bytes.ts";
import { hasStandardSignature, toleranceSeconds } from "./standard-webhook.ts";

/** A request as it arrived: its body byte for byte. */
export interface ArrivedHook {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/**
 * Why a request is not taken: something is missing, the time is too far off, or it was not made with the secret. Callers
 * are told no more, so that nobody learns which part of a forgery was wrong.
 */
export type HookRefusal = "missing" | "time" | "signature";

/** Seconds since 1970. */
type Seconds = number;

/** Whether one secret fits; `fits` is asked for every secret that is live. */
type Check = { refusal: HookRefusal } | { fits(secret: string): Promise<boolean> };

/**
 * Checks who sent a request. Undefined: one of the live secrets fits. With no secret nothing fits, unless the scheme needs
 * none. Every secret is tried, so that an answer's time does not say which one it was.
 */
export async function refuseHook(
  scheme: HookScheme,
  secrets: readonly string[],
  request: ArrivedHook,
  now: Seconds,
): Promise<HookRefusal | undefined> {
  if (scheme === "none") return undefined;
  const check = checkOf(scheme, request, now);
  if ("refusal" in check) return check.refusal;
  let known = false;
  for (const secret of secrets) if (secret !== "" && (await check.fits(secret))) known = true;
  return known ? undefined : "signature";
}

/**
 * What tells a request, whose sender has been checked, from another one of theirs: the signature itself (lower-case hex) where it
 * covers the body alone, otherwise the time that was signed with the body. Undefined where nothing is signed.
 */
export function signatureOf(
  scheme: HookScheme,
  { headers }: Pick<ArrivedHook, "headers">,
): { covers: "body"; signature: string } | { covers: "time"; time: string } | undefined {
  const covers = hookSchemeFacts[scheme].signs;
  const text = headers[signatureHeaders[scheme] ?? ""];
  if (covers === "nothing" || text === undefined) return undefined;
  if (covers === "body") return { covers, signature: text.toLowerCase() };
  return { covers, time: scheme === "stripe" ? (stripeParts(text).find(([name]) => name === "t")?.[1] ?? "") : text };
}

/** The headers with the signature, where it covers the body alone, or with the time. */
const signatureHeaders: Partial<Record<HookScheme, string>> = {
  github: "x-hub-signature-256",
  whatsapp: "x-hub-signature-256",
  standard: "webhook-timestamp",
  slack: "x-slack-request-timestamp",
  stripe: "stripe-signature",
  discord: "x-signature-timestamp",
};

/**
 * What is signed is `id.time.body`. An id with a part that may be a time would let one signature be read in two ways, as two deliveries;
 * without, there is only one.
 */
const holdsTime = /\.\d{1,12}(?:\.|$)/;

function checkOf(scheme: Exclude<HookScheme, "none">, { headers, body }: ArrivedHook, now: Seconds): Check {
  switch (scheme) {
    case "bearer": {
      const token = tokenOf(headers["authorization"] ?? "");
      return token === undefined ? { refusal: "missing" } : { fits: (secret) => sameBytes(token, secret) };
    }
    case "standard": {
      const { "webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": signature } = headers;
      if (!id || !stamp || !signature) return { refusal: "missing" };
      if (holdsTime.test(id)) return { refusal: "signature" };
      const timestamp = secondsOf(stamp);
      if (!isFresh(timestamp, now)) return { refusal: "time" };
      return { fits: (secret) => hasStandardSignature(signature, secret, { id, timestamp, body }) };
    }
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries; Meta's products sign alike.
    case "github":
    case "whatsapp": {
      const given = hexAfter("sha256=", headers["x-hub-signature-256"]);
      if (given === undefined) return { refusal: "missing" };
      return { fits: async (secret) => sameBytes(given, await hmac(secret, body)) };
    }
    // https://docs.slack.dev/authentication/verifying-requests-from-slack
    case "slack": {
      const stamp = headers["x-slack-request-timestamp"];
      const given = hexAfter("v0=", headers["x-slack-signature"]);
      if (!stamp || given === undefined) return { refusal: "missing" };
      if (!isFresh(secondsOf(stamp), now)) return { refusal: "time" };
      return { fits: async (secret) => sameBytes(given, await hmac(secret, joinParts(`v0:${stamp}:`, body))) };
    }
    // https://docs.stripe.com/webhooks#verify-manually
    case "stripe": {
      const parts = stripeParts(headers["stripe-signature"] ?? "");
      const stamp = parts.find(([name]) => name === "t")?.[1];
      const given = parts.flatMap(([name, value]) => (name === "v1" ? (fromHex(value) ?? []) : []));
      if (!stamp || given.length === 0) return { refusal: "missing" };
      if (!isFresh(secondsOf(stamp), now)) return { refusal: "time" };
      return {
        async fits(secret) {
          const wanted = await hmac(secret, joinParts(`${stamp}.`, body));
          let fits = false;
          for (const one of given) if (await sameBytes(one, wanted)) fits = true;
          return fits;
        },
      };
    }
    // https://core.telegram.org/bots/api#setwebhook: the secret itself comes back.
    case "telegram": {
      const given = headers["x-telegram-bot-api-secret-token"];
      return given ? { fits: (secret) => sameBytes(given, secret) } : { refusal: "missing" };
    }
    // https://docs.discord.com/developers/interactions/overview: the secret is the application's public key.
    case "discord": {
      const stamp = headers["x-signature-timestamp"];
      const given = hexAfter("", headers["x-signature-ed25519"]);
      if (!stamp || given === undefined) return { refusal: "missing" };
      if (!isFresh(secondsOf(stamp), now)) return { refusal: "time" };
      return { fits: (key) => isSignedBy(key, given, joinParts(stamp, body)) };
    }
    default:
      return scheme satisfies never;
  }
}

function stripeParts(header: string): [string, string][] {
  return header.split(",").slice(0, 20).map(pairOf);
}

function pairOf(part: string): [string, string] {
  const at = part.indexOf("=");
  return at < 0 ? [part.trim(), ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

function hexAfter(prefix: string, text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (text === undefined || !text.startsWith(prefix)) return undefined;
  const bytes = fromHex(text.slice(prefix.length));
  return bytes === undefined || bytes.byteLength === 0 ? undefined : bytes;
}

function secondsOf(text: string): Seconds {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

function isFresh(timestamp: Seconds, now: Seconds): boolean {
  return Math.abs(now - timestamp) <= toleranceSeconds;
}

async function isSignedBy(key: string, signature: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) {
  const bytes = fromHex(key.trim());
  if (bytes === undefined || bytes.byteLength !== 32 || signature.byteLength !== 64) return false;
  try {
    const imported = await crypto.subtle.importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
  } catch {
    return false;
  }
}

/** The token of `Authorization: Bearer`, or the password of `Basic`, which is all that many senders can be told. */
function tokenOf(authorization: string): string | undefined {
  const bearer = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(authorization)?.[1];
  if (basic === undefined || basic.length > 4_000) return undefined;
  try {
    return /^[^:]*:(.+)$/s.exec(atob(basic))?.[1];
  } catch {
    return undefined;
  }
}
