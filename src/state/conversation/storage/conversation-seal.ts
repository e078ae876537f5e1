import { z } from "zod/mini";
import type { Host, SessionKey } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { filesOfMessage, type Message } from "../../../engine/model/message.ts";
import { RunError } from "../../../engine/errors.ts";
import { titleOf } from "./conversation-storage.ts";

const sealedText = z.object({ id: z.string(), key: z.number(), sealed: z.string() });
const sealedAnswer = z.object({ sealed: z.array(sealedText) });
const openedText = z.union([
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), reason: z.enum(["changed", "key"]) }),
]);
const openedAnswer = z.object({ texts: z.array(openedText) });

type SealedText = z.infer<typeof sealedText>;

/**
 * A message as its row holds it when it is encrypted; a question brings the beginning of its text as a title. The ids of its files are not
 * encrypted: the database keeps those as long as the message.
 */
export type SealedMessage = SealedText & { title?: SealedText; files?: { $file: string }[] };

/** Why a stored message cannot be read: it is not as it was stored here, or the server's key for it is gone. */
export type Unreadable = "changed" | "key";

/** What one request may carry; the function takes some more. */
const mostTexts = 1_000;
const mostCharacters = 2_000_000;

interface Place extends SessionKey {
  kind: "message" | "title";
}

/**
 * Encrypts and decrypts what conversations hold, by the edge function `conversations`, which keeps the key. Rejects with a
 * RunError of code `memory_error`, retryable unless the function refused what it was given.
 */
export interface ConversationSeal {
  seal(key: SessionKey, messages: readonly Message[]): Promise<SealedMessage[]>;
  /** What rows of one conversation hold, as they hold it; those that are not encrypted are not for here. */
  open(key: SessionKey, stored: readonly unknown[], signal?: AbortSignal): Promise<(Message | Unreadable)[]>;
  /** Null for one that cannot be read. */
  openTitles(titles: readonly { key: SessionKey; stored: unknown }[]): Promise<(string | null)[]>;
}

/** Whether a stored message is encrypted; no other holds this key. */
export function isSealed(stored: unknown): boolean {
  return typeof stored === "object" && stored !== null && "sealed" in stored;
}

export function createConversationSeal(callFunction: Host["callFunction"]): ConversationSeal {
  async function ask<Schema extends z.ZodMiniType>(
    done: string,
    schema: Schema,
    request: JsonObject,
    signal = new AbortController().signal,
  ): Promise<z.infer<Schema>> {
    const answer = await callFunction("conversations", request, { signal });
    if (!answer.ok) throw notDone(done, answer.error, answer.status !== 400 && answer.status !== 413);
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    const hint = "The site and the server may be of different versions. Reload the page.";
    throw notDone(done, { message: "The server's answer could not be read.", hint }, true);
  }

  async function sealTexts(texts: readonly { place: Place; text: string }[]): Promise<SealedText[]> {
    const sealed: SealedText[] = [];
    for (const batch of batches(texts, ({ text }) => text.length)) {
      const request = batch.map(({ place, text }) => ({ ...placeOf(place), text }));
      const answer = await ask("encrypted", sealedAnswer, { action: "seal", texts: request });
      sealed.push(...answer.sealed);
    }
    return sealed;
  }

  async function openTexts(texts: readonly { place: Place; stored: unknown }[], signal?: AbortSignal) {
    const read = texts.map(({ place, stored }) => ({ place, sealed: sealedText.safeParse(stored).data }));
    const asked = read.flatMap(({ place, sealed }) => (sealed ? [{ place, sealed }] : []));
    const opened: z.infer<typeof openedText>[] = [];
    for (const batch of batches(asked, ({ sealed }) => sealed.sealed.length)) {
      const request = batch.map(({ place, sealed }) => ({ ...placeOf(place), ...sealed }));
      const answer = await ask("decrypted", openedAnswer, { action: "open", texts: request }, signal);
      opened.push(...answer.texts);
    }
    let next = 0;
    return read.map(({ sealed }) => (sealed && opened[next++]) ?? { ok: false as const, reason: "changed" as const });
  }

  return {
    async seal(key, messages) {
      const titles = messages.map((message) => titleOf([message]));
      const texts = messages.map((message) => JSON.stringify(message));
      const sealed = await sealTexts([
        ...texts.map((text) => ({ place: { ...key, kind: "message" as const }, text })),
        ...titles.flatMap((text) => (text === null ? [] : [{ place: { ...key, kind: "title" as const }, text }])),
      ]);
      let next = messages.length;
      return messages.map((_message, index) => {
        const title = titles[index] === null ? undefined : sealed[next++];
        const message = sealed[index];
        if (!message) throw new Error("The function encrypted fewer texts than it was given.");
        const files = filesOf(messages[index]);
        return { ...message, ...(title ? { title } : {}), ...(files.length > 0 ? { files } : {}) };
      });
    },

    async open(key, stored, signal) {
      const texts = stored.map((each) => ({ place: { ...key, kind: "message" as const }, stored: each }));
      const opened = await openTexts(texts, signal);
      return opened.map((one) => (one.ok ? (JSON.parse(one.text) as Message) : one.reason));
    },

    async openTitles(titles) {
      const texts = titles.map(({ key, stored }) => ({ place: { ...key, kind: "title" as const }, stored }));
      return (await openTexts(texts)).map((one) => (one.ok ? one.text : null));
    },
  };
}

function filesOf(message: Message | undefined): { $file: string }[] {
  return message ? filesOfMessage(message).map(({ $file }) => ({ $file })) : [];
}

/** Why a run reads nothing of a conversation, once one of its messages cannot be read. */
export function unreadable(reason: Unreadable): RunError {
  const { message, hint } = unreadableWords[reason];
  return new RunError({ code: "memory_error", message, hint, retryable: false });
}

/** The same for a person who looks at the message. */
export const unreadableWords: Record<Unreadable, { message: string; hint: string }> = {
  changed: {
    message: "A message of this conversation cannot be decrypted: it is not as it was stored, or it belongs elsewhere.",
    hint: "The memory panel marks it. Delete it there, and the agent remembers the rest.",
  },
  key: {
    message: "A message of this conversation cannot be decrypted: its key is missing on the server.",
    hint: "The operator has to put that version of the key back into CREDENTIALS_KEYS.",
  },
};

function placeOf({ workflowId, sessionId, kind }: Place) {
  return { workflowId, sessionId, kind };
}

function notDone(done: string, { message, hint }: { message: string; hint: string }, retryable: boolean): RunError {
  return new RunError({
    code: "memory_error",
    message: `The conversation could not be ${done}: ${message}`,
    hint,
    retryable,
  });
}

/** In order, each as much as one request carries; what is too large by itself goes alone. */
function* batches<Item>(items: readonly Item[], size: (item: Item) => number): Generator<Item[]> {
  let batch: Item[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && (batch.length >= mostTexts || characters + size(item) > mostCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += size(item);
  }
  if (batch.length > 0) yield batch;
}
