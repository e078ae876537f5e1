import { newId } from "../shared/new-id.ts";
import { storedText } from "../shared/stored.ts";

const kept = (workflowId: string) => storedText(`switchyard:chat-session:${workflowId}`);

/** Sessions of a page that may not store anything; they last as long as the page. */
const unkept = new Map<string, string>();

/** The conversation that the chat of a workflow is in: kept in this browser, made when there is none. */
export function readChatSession(workflowId: string): string {
  const known = unkept.get(workflowId) ?? kept(workflowId).read();
  return known ?? keepChatSession(workflowId, newSessionId());
}

/** Makes `sessionId` the conversation of the chat. */
export function keepChatSession(workflowId: string, sessionId: string): string {
  unkept.set(workflowId, sessionId);
  // Where that fails the page goes on with the session in memory; after a reload a new conversation starts.
  kept(workflowId).write(sessionId);
  return sessionId;
}

/** Short enough to be read aloud, long enough not to meet another one of the same workflow. */
export function newSessionId(): string {
  return `chat-${newId().slice(0, 8)}`;
}
