const key = (workflowId: string) => `switchyard:chat-names:${workflowId}`;

/** The names that people gave to conversations of a workflow, by session; kept in this browser. */
export function readChatNames(workflowId: string): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(workflowId)) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).flatMap(([id, name]): [string, string][] =>
        typeof name === "string" ? [[id, name]] : [],
      ),
    );
  } catch {
    return {};
  }
}

/** Names a conversation, or with an empty name calls it by its session again. Returns all names. */
export function keepChatName(workflowId: string, sessionId: string, name: string): Readonly<Record<string, string>> {
  const { [sessionId]: _before, ...others } = readChatNames(workflowId);
  const names = name.trim() === "" ? others : { ...others, [sessionId]: name.trim().slice(0, 100) };
  try {
    localStorage.setItem(key(workflowId), JSON.stringify(names));
  } catch {
    // Without storage the name lasts until the page is left.
  }
  return names;
}
