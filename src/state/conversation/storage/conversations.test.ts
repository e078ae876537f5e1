import { formatBytes } from "../../../ui/text/format-bytes.ts";
import { describe, expect, it } from "vitest";
import type { MemorySession } from "../../../services/services.ts";
import { pageOfSessions } from "./conversations.ts";

const toConversations = (sessions: readonly MemorySession[]) => pageOfSessions(sessions, { limit: 100 }).rows;

describe("toConversations", () => {
  const session = (sessionId: string, given: Partial<MemorySession> = {}): MemorySession => ({
    workflowId: "w",
    sessionId,
    messages: 2,
    bytes: 100,
    lastUsedAt: "2026-01-01T00:00:00Z",
    ...given,
  });

  it("counts scratchpad and summary to their conversation", () => {
    const found = toConversations([
      session("a"),
      session("a:scratchpad", { messages: 1, lastUsedAt: "2026-01-03T00:00:00Z" }),
      session("a:summary", { messages: 1 }),
      session("b", { lastUsedAt: "2026-01-02T00:00:00Z" }),
      session("a", { workflowId: null, bytes: null, lastUsedAt: "2025-01-01T00:00:00Z" }),
    ]);
    expect(found.map(({ sessionId, workflowId }) => [sessionId, workflowId])).toEqual([
      ["a", "w"],
      ["b", "w"],
      ["a", null],
    ]);
    expect(found[0]).toMatchObject({ messages: 2, bytes: 300, notes: true, summarised: true });
    expect(found[1]).toMatchObject({ notes: false, summarised: false });
    expect(formatBytes(found[2]?.bytes ?? null)).toBe("–");
  });
});

describe("pageOfSessions", () => {
  const session = (sessionId: string, workflowId: string | null = "w"): MemorySession => ({
    workflowId,
    sessionId,
    messages: 1,
    bytes: 1,
    lastUsedAt: new Date(Number(sessionId.replace(/\D/g, ""))).toISOString(),
  });

  it("gives a place that lists everything at once page by page, and finds", () => {
    const all = Array.from({ length: 1_100 }, (_, index) => session(`Chat ${index}`));
    const seen: string[] = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const page = pageOfSessions(all, { limit: 200, after });
      expect(page.total).toBe(1_100);
      seen.push(...page.rows.map(({ sessionId }) => sessionId));
      after = typeof page.next === "number" ? page.next : undefined;
    }
    expect([seen.length, new Set(seen).size, seen[0]]).toEqual([1_100, 1_100, "Chat 1099"]);
    const found = pageOfSessions(all, { limit: 5, search: "1099 chat" });
    expect(found).toMatchObject({ rows: [{ sessionId: "Chat 1099" }], next: null, total: 1 });
  });

  it("leaves out what is shared, where it is asked to", () => {
    const page = pageOfSessions([session("1"), session("2", null)], { limit: 5, ownOnly: true });
    expect(page.rows.map(({ sessionId }) => sessionId)).toEqual(["1"]);
  });
});
