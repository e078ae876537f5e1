import { z } from "zod/mini";

const failure = z.object({ code: z.literal("SUP"), message: z.string() });

/** What the message of a caller's mistake holds, and Postgres's code for it. */
const refusals = [
  { words: "violates check constraint", code: "23514" },
  { words: "quota_exceeded ", code: "P0001" },
];

/**
 * Answers as PostgREST does where the API library does not: a violated check constraint and a limit of the account are the
 * caller's affair (400), not a failure of the server (500), which clients would retry.
 */
export function asPostgrestAnswers(status: number, body: string): { status: number; body: string } {
  if (status !== 500) return { status, body };
  const parsed = failure.safeParse(parseJson(body));
  const refusal = refusals.find(({ words }) => parsed.data?.message.includes(words));
  if (!parsed.success || !refusal) return { status, body };
  const message = parsed.data.message.replace(/^error: /i, "");
  return { status: 400, body: JSON.stringify({ code: refusal.code, details: null, hint: null, message }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
