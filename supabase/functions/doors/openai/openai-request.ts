/** The name of a conversation within a key: whose it is, and which; undefined where a client names neither. */
export function conversationName(
  user: string | null | undefined,
  conversation: string | null | undefined,
): string | undefined {
  const parts = [user ?? "", conversation ?? ""];
  return parts.every((part) => part === "") ? undefined : JSON.stringify(parts);
}
