import { z } from "zod/mini";

const failure = z.object({ code: z.literal("SUP"), message: z.string() });

/** What the message of a caller's mistake holds, Postgres's code for it, and how it is answered. */
const refusals = [
  { words: "violates check constraint", code: "23514", status: 400, hint: null },
  {
    words: "quota_exceeded ",
    code: "P0001",
    status: 507,
    hint: "A limit of your account is reached. Delete runs, documents or workflows, or ask whoever runs this studio for more.",
  },
];

/**
 * Answers as PostgREST does where the API library does not: a violated check constraint (400) and a limit of the account (507)
 * are the caller's affair, not a failure of the server (500), which clients would retry.
 */
export function asPostgrestAnswers(status: number, body: string): { status: number; body: string } {
  if (status !== 500) return { status, body };
  const parsed = failure.safeParse(parseJson(body));
  const refusal = refusals.find(({ words }) => parsed.data?.message.includes(words));
  if (!parsed.success || !refusal) return { status, body };
  const message = parsed.data.message.replace(/^error: /i, "");
  const { code, hint } = refusal;
  return { status: refusal.status, body: JSON.stringify({ code, details: null, hint, message }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
