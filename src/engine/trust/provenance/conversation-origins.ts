import { holdsUntrusted, type Message, messageText } from "../../model/message.ts";
import type { Provenance } from "./provenance.ts";

const earlier = { title: "an earlier part of this conversation" };

/**
 * Tells where the messages of an earlier part of a conversation came from, as their marks say. What the model said is trusted until
 * the first message with anything from outside; what a door's caller said stays his; a result of a tool is never evidence, since what it gave may have been stored there
 * by others.
 */
export function addMessages(provenance: Provenance, messages: readonly Message[]): void {
  let isMixed = false;
  for (const message of messages) {
    const isMarked = holdsUntrusted([message]);
    isMixed ||= isMarked;
    const text = messageText(message);
    switch (message.role) {
      case "system":
        break;
      case "user":
        if (isMarked) provenance.add(message.caller ? "caller" : "outside", text, { from: earlier });
        else provenance.add("person", text);
        break;
      case "assistant":
        if (isMixed) provenance.add("outside", text, { from: earlier });
        else provenance.add("trusted", text);
        break;
      case "tool":
        provenance.add("outside", text, { from: earlier });
        break;
      default:
        message satisfies never;
    }
  }
  if (isMixed) provenance.spoil();
}
