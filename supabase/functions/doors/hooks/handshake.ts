import { type HookScheme, hookSchemeFacts } from "../../../../src/doors/hook-scheme.ts";
import { isJsonObject, type Json } from "../../../../src/engine/json.ts";
import { sameBytes } from "../../_shared/webhooks/signature-bytes.ts";

/**
 * Answers what a sender asks when an address is entered there, before it sends anything else; no run starts. Undefined for
 * every other request. The request's signature has been checked.
 */
export function handshakeAnswer(scheme: HookScheme, body: Json): Response | undefined {
  if (!isJsonObject(body)) return undefined;
  // https://docs.slack.dev/reference/events/url_verification
  if (scheme === "slack" && body["type"] === "url_verification" && typeof body["challenge"] === "string")
    return Response.json({ challenge: body["challenge"] });
  // https://docs.discord.com/developers/interactions/receiving-and-responding: a ping is answered with a ping.
  if (scheme === "discord" && body["type"] === 1) return Response.json({ type: 1 });
  return undefined;
}

/**
 * WhatsApp asks by GET, with a token that was agreed on and no signature: the answer is the challenge as text. Undefined where
 * the request is none of these, or the token is wrong.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests
 */
export async function whatsAppVerification(
  query: URLSearchParams,
  token: string | undefined,
): Promise<Response | undefined> {
  const given = query.get("hub.verify_token");
  const challenge = query.get("hub.challenge");
  if (query.get("hub.mode") !== "subscribe" || given === null || challenge === null || !token) return undefined;
  if (!/^[\w-]{1,200}$/.test(challenge) || !(await sameBytes(given, token))) return undefined;
  return new Response(challenge, { headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Senders that take any other status for a failure, and send again. */
const wantsOk: ReadonlySet<HookScheme> = new Set(["slack", "whatsapp"]);

/** What a sender is told at once, while the run has only begun. */
export function promptAnswer(scheme: HookScheme, id: string): Response {
  // Discord takes this alone as "the answer comes later"; the others look at the status.
  if (scheme === "discord") return Response.json({ type: 5 });
  return Response.json({ id, status: "accepted" }, { status: wantsOk.has(scheme) ? 200 : 202 });
}

/** What the sender of a delivery is told that is known and started nothing: 200, whether it was sent again by its sender or by somebody else. */
export function knownAnswer(scheme: HookScheme, id: string): Response {
  // Where nothing is signed its sender chose the number, to be answered as before.
  if (scheme === "discord" || hookSchemeFacts[scheme].signs === "nothing") return promptAnswer(scheme, id);
  return Response.json({ id, status: "known" });
}
