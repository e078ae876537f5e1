import { guardInstruction, jailbreakRule } from "../../engine/trust/guard-instructions.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { type Message, messageText } from "../../engine/model/message.ts";

/** What the demo model takes for an attempt to take over an assistant. */
const takeover =
  /\b(?:ignore|forget|disregard)\b.{0,40}\b(?:instructions?|rules|prompt)\b|\bsystem prompt\b|\byou are now\b/i;

/** What it takes for harmful. */
const harmful = /\b(?:build|make)\b.{0,20}\b(?:bomb|weapon)\b|\b(?:hurt|kill) (?:myself|yourself|them|him|her)\b/i;

/** The verdict that a check by a guardrails node asks for, by simple words. Undefined for any other request. */
export function judgeText(messages: readonly Message[]): string | undefined {
  const [system, request] = messages;
  if (system?.role !== "system" || !system.text.startsWith(guardInstruction) || !request) return undefined;
  const value: Json = JSON.parse(messageText(request));
  const text = isJsonObject(value) && typeof value.text === "string" ? value.text : "";
  const isJailbreak = system.text.includes(jailbreakRule);
  const flagged = (isJailbreak ? takeover : harmful).test(text);
  const reason = !flagged
    ? "Nothing stands out."
    : isJailbreak
      ? "The text tries to change the assistant's instructions."
      : "The text asks for something harmful.";
  return JSON.stringify({ flagged, confidence: flagged ? 0.9 : 0.8, reason });
}
