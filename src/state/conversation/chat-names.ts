import { z } from "zod/mini";
import { stored } from "../shared/stored.ts";

/** Without storage a name lasts until the page is left. */
const kept = (workflowId: string) => stored(`switchyard:chat-names:${workflowId}`, z.record(z.string(), z.string()));

/** The names that people gave to conversations of a workflow, by session; kept in this browser. */
export function readChatNames(workflowId: string): Readonly<Record<string, string>> {
  return kept(workflowId).read() ?? {};
}

/** Names a conversation, or with an empty name calls it by its session again. Returns all names. */
export function keepChatName(workflowId: string, sessionId: string, name: string): Readonly<Record<string, string>> {
  const { [sessionId]: _before, ...others } = readChatNames(workflowId);
  const names = name.trim() === "" ? others : { ...others, [sessionId]: name.trim().slice(0, 100) };
  kept(workflowId).write(names);
  return names;
}
