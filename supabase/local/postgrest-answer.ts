import { z } from "zod";

const refusal = z.object({ code: z.literal("SUP"), message: z.string().includes("violates check constraint") });

/**
 * Answers as PostgREST does where the API library does not: a violated check constraint is the caller's mistake
 * (400, code 23514), not a failure of the server (500), which clients would retry.
 */
export function asPostgrestAnswers(status: number, body: string): { status: number; body: string } {
  if (status !== 500) return { status, body };
  const parsed = refusal.safeParse(parseJson(body));
  if (!parsed.success) return { status, body };
  const message = parsed.data.message.replace(/^error: /i, "");
  return { status: 400, body: JSON.stringify({ code: "23514", details: null, hint: null, message }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
