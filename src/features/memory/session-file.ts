import { z } from "zod/mini";
import "../../engine/config/english-issues.ts";
import { jsonProblem } from "../../engine/document/json-problem.ts";
import type { Message } from "../../engine/model/message.ts";
import type { TimedMessage } from "../../services/services.ts";
import { messageSchema } from "../../engine/model/message-schema.ts";
import { readJson } from "../../engine/json.ts";

const format = "switchyard-session";
/** The most that is read: characters of the file, messages in it. */
const maxCharacters = 20_000_000;
const maxMessages = 10_000;

const sessionFile = z.object({
  format: z.literal(format),
  version: z.literal(1),
  sessionId: z.string().check(z.minLength(1), z.maxLength(480)),
  exportedAt: z.optional(z.string()),
  messages: z.array(messageSchema).check(z.maxLength(maxMessages)),
  /** When each message was written, in their order; null where that is not known. */
  times: z.optional(z.array(z.nullable(z.iso.datetime({ offset: true }))).check(z.maxLength(maxMessages))),
  scratchpad: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(4_000))), {}),
  summary: z.optional(z.object({ text: z.string(), messages: z.int().check(z.minimum(0)) })),
});

/** A session as it is exported: its messages, the agent's notes, and the summary for the reader. */
export type SessionFile = z.infer<typeof sessionFile>;

export function toSessionFile(content: {
  sessionId: string;
  messages: readonly TimedMessage[];
  notes: ReadonlyMap<string, string>;
  summary: SessionFile["summary"];
  exportedAt: string;
}): SessionFile {
  const { sessionId, notes, summary, exportedAt } = content;
  const messages: Message[] = content.messages.map(({ message }) => message);
  const times = content.messages.map(({ at }) => at ?? null);
  const scratchpad = Object.fromEntries(notes);
  return { format, version: 1, sessionId, exportedAt, messages, times, scratchpad, ...(summary ? { summary } : {}) };
}

/** Reads an exported session; says in words why a text is none. */
export function readSessionFile(text: string): { ok: true; file: SessionFile } | { ok: false; problem: string } {
  if (text.length > maxCharacters) return { ok: false, problem: "The file is larger than 20 MB." };
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return { ok: false, problem: "The file is not JSON." };
  }
  const problem = jsonProblem(value, { characters: maxCharacters, depth: 20 });
  if (problem !== undefined) return { ok: false, problem };
  const parsed = sessionFile.safeParse(value);
  if (parsed.success) return { ok: true, file: parsed.data };
  const [issue] = parsed.error.issues;
  if (!issue || issue.path[0] === "format")
    return { ok: false, problem: "The file does not contain an exported conversation." };
  return { ok: false, problem: `${issue.path.join(".")}: ${issue.message}` };
}

/** The messages of a file with their times, none of them in the future. */
export function timedMessages({ messages, times }: SessionFile, now = Date.now()): TimedMessage[] {
  return messages.map((message, index) => {
    const at = times?.[index] ?? null;
    return at === null || Date.parse(at) > now ? { message } : { message, at };
  });
}

/** The messages that a conversation lacks, in their order; one that stands there twice is needed twice. */
export function missingFrom(there: readonly TimedMessage[], wanted: readonly TimedMessage[]): TimedMessage[] {
  const left = new Map<string, number>();
  for (const one of there) left.set(nameOf(one), (left.get(nameOf(one)) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(nameOf(one)) ?? 0;
    if (count > 0) left.set(nameOf(one), count - 1);
    return count === 0;
  });
}

/** Messages as they are imported: anybody may have written a file, whatever it says of itself. */
export function markedAsFile(messages: readonly TimedMessage[]): TimedMessage[] {
  return messages.map((one) =>
    one.message.role === "system" ? one : { ...one, message: { ...one.message, untrusted: true } },
  );
}

/** Equal for a message, its export, and what became of that when it was imported. */
function nameOf({ message, at }: TimedMessage): string {
  const read = messageSchema.safeParse(message);
  const said = read.success ? { ...read.data, untrusted: undefined } : message;
  return JSON.stringify([at === undefined ? null : Date.parse(at), said]);
}

/** A file name for a session. */
export function sessionFileName(sessionId: string): string {
  return `session-${sessionId.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)}.json`;
}
