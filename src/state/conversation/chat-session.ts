import { newId } from "../shared/new-id.ts";
import { storedText } from "../shared/stored.ts";

const kept = (place: string) => storedText(`switchyard:chat-session:${place}`);

/** Sessions of a page that may not store anything; they last as long as the page. */
const unkept = new Map<string, string>();

/**
 * The conversation that a chat is in: kept in this browser, made when there is none. `place` is the id of the chat's workflow, or
 * another name where one workflow has several chats.
 */
export function readChatSession(place: string): string {
  const known = unkept.get(place) ?? kept(place).read();
  return known ?? keepChatSession(place, newSessionId());
}

/** Makes `sessionId` the conversation of the chat. */
export function keepChatSession(place: string, sessionId: string): string {
  unkept.set(place, sessionId);
  // Where that fails the page goes on with the session in memory; after a reload a new conversation starts.
  kept(place).write(sessionId);
  return sessionId;
}

/** Short enough to be read aloud, long enough not to meet another one of the same workflow. */
export function newSessionId(): string {
  return `chat-${newId().slice(0, 8)}`;
}
