import type { Page } from "@playwright/test";
import { canvasReady, expect } from "./fixtures.ts";

interface ConversationAddress {
  workflowId: string;
  sessionId: string;
}

/** Fills the conversation of the open workflow with remembered questions and answers, as the guest of the page. */
export async function remember(page: Page, count: number): Promise<void> {
  const workflowId = /\/w\/([^/?]+)/.exec(page.url())?.[1] ?? "";
  const sent = page.waitForRequest(/\/rest\/v1\/studio_agent_memory/);
  await page.reload();
  const request = await sent;
  const { apikey = "", authorization = "" } = await request.allHeaders();
  const sessionId = await page.evaluate(
    (key) => localStorage.getItem(key) ?? "",
    `switchyard:chat-session:${workflowId}`,
  );
  const rows = Array.from({ length: count }, (_, index) => row({ workflowId, sessionId }, index));
  for (let start = 0; start < count; start += 1_000) {
    const answer = await page.request.post(new URL("/rest/v1/studio_agent_memory", request.url()).href, {
      headers: { apikey, authorization, "content-type": "application/json" },
      data: rows.slice(start, start + 1_000),
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await page.reload();
  await canvasReady(page);
}

/** Questions, and answers of one to twelve paragraphs, some as Markdown that is far higher than its text is long. */
function row({ workflowId, sessionId }: ConversationAddress, index: number) {
  const number = Math.floor(index / 2) + 1;
  const isQuestion = index % 2 === 0;
  const list = Array.from({ length: number % 7 }, (_, item) => `- item ${item + 1}`).join("\n");
  const answer = `# Answer ${number}\n\n${"Some words of an answer. ".repeat((number * 37) % 90)}\n\n${list}`;
  const text = isQuestion ? `Question number ${number}` : answer;
  const message = isQuestion
    ? { role: "user", parts: [{ type: "text", text }] }
    : { role: "assistant", parts: [{ type: "text", text }] };
  return { workflow_id: workflowId, session_id: sessionId, role: message.role, content: text, message };
}
