import { z } from "zod/mini";
export { fileNameHeader } from "../engine/studio-headers.ts";
import { chatAccess } from "./chat-door.ts";

/**
 * What the chat page and its server say to each other under `/c-api/<slug>/`. A visitor is known by the token that the
 * server made and the page sends as `Authorization: Bearer …`; ids of conversations and runs open nothing without it.
 *
 * | request | answer |
 * |---|---|
 * | `GET page` | `chatPageInfo` |
 * | `GET challenge` | `chatChallenge`, where the page asks for work |
 * | `POST session` with `openSession` | `chatSession` |
 * | `POST resume` with `resumeSession` | `chatSession` of the visitor whose browser it is, or 204 |
 * | `POST leave` | 204 |
 * | `GET threads` | `chatThreads` |
 * | `GET threads/<id>` | `chatThread` |
 * | `DELETE threads/<id>` | 204 |
 * | `POST files` with a file's bytes, its type and its name in a header | `sentFile` |
 * | `POST messages` with `newMessage` | events, each a `chatEvent` |
 * | `GET runs/<id>/events` | the events of an answer from its beginning |
 * | `POST runs/<id>/stop` | 204 |
 * | `POST runs/<id>/feedback` with `feedback` | 204 |
 *
 * Every refusal is a problem document (RFC 9457) with a `code`.
 */
export const chatPageInfo = z.object({
  title: z.string(),
  welcome: z.string(),
  placeholder: z.string(),
  picture: z.string(),
  theme: z.enum(["system", "light", "dark"]),
  accent: z.object({ light: z.string(), dark: z.string() }),
  questions: z.array(z.string()),
  access: z.enum(chatAccess),
  /** Whether visitors may send pictures, and other files. */
  attachments: z.boolean(),
  files: z._default(z.boolean(), false),
  messageChars: z.number(),
  sites: z.array(z.string()),
  /** Whether `openSession` needs `work`. */
  asksForWork: z.boolean(),
});
export type ChatPageInfo = z.infer<typeof chatPageInfo>;

/** A challenge of proof of work in the form of altcha-lib 2, signed by the server. */
export const chatChallenge = z.object({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
    data: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  }),
  signature: z.string(),
});
export type ChatChallenge = z.infer<typeof chatChallenge>;

const chatWork = z.object({
  challenge: chatChallenge,
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});
export type ChatWork = z.infer<typeof chatWork>;

/** What lets a visitor in, by the page's access; nothing where it is public. `identity` is a JWT of the embedding site. */
export const openSession = z.object({
  password: z.optional(z.string().check(z.maxLength(200))),
  email: z.optional(z.string().check(z.maxLength(320))),
  identity: z.optional(z.string().check(z.maxLength(4_000))),
  browser: z.optional(z.string().check(z.maxLength(200))),
  /** The token that the server wrote into the page. */
  page: z.optional(z.string().check(z.maxLength(200))),
  work: z.optional(chatWork),
});
export type OpenSession = z.infer<typeof openSession>;

/** What the server gave the browser to keep for this page, by which it finds its visitor again. */
export const resumeSession = z.object({ browser: z.string().check(z.maxLength(200)) });

export const chatSession = z.object({ token: z.string() });

const thread = z.object({ id: z.string(), title: z.string(), at: z.number() });
export const chatThreads = z.object({ threads: z.array(thread) });
export type ChatThread = z.infer<typeof thread>;

export const ratings = ["up", "down"] as const;
export type Rating = (typeof ratings)[number];

/** How an answer stands: on its way, whole, stopped by the visitor, cut short by a limit, or failed. */
export const answerStatus = z.enum(["running", "completed", "stopped", "incomplete", "failed"]);
export type AnswerStatus = z.infer<typeof answerStatus>;

/** A file of a conversation, with a link that lasts for some hours. */
const chatFile = z.object({ id: z.uuid(), name: z.string(), mediaType: z.string(), size: z.number(), url: z.string() });
export type ChatFile = z.infer<typeof chatFile>;

/** What was kept of a file that a visitor sent: by its id it goes with that visitor's messages. */
export const sentFile = z.object({ id: z.uuid(), name: z.string(), mediaType: z.string(), size: z.number() });
export type SentFile = z.infer<typeof sentFile>;

/** The most files of one message, and the most bytes of one file. */
export const mostChatFiles = 8;
export const largestChatFile = 16 * 1024 * 1024;

/** Pictures that visitors send where a page takes no other files. */
export const isChatPicture = (mediaType: string): boolean => /^image\/(png|jpeg|webp|gif)$/.test(mediaType);

const extras = {
  sources: z.optional(z.array(z.object({ url: z.string(), title: z.optional(z.string()) }))),
  /** Pictures that the answer holds, as `data:` URLs. */
  pictures: z.optional(z.array(z.string())),
  files: z.optional(z.array(chatFile)),
};

const turn = z.object({
  ...extras,
  runId: z.string(),
  text: z.string(),
  images: z.array(z.string()),
  /** Files that came with the question. */
  sent: z._default(z.array(chatFile), []),
  answer: z.string(),
  status: answerStatus,
  rating: z.nullable(z.enum(ratings)),
  comment: z.string(),
});
export const chatThread = z.object({ turns: z.array(turn) });
export type ChatTurn = z.infer<typeof turn>;

/**
 * Words, files or both. Without a thread it begins a new one. The same key never starts a second run.
 */
export const newMessage = z
  .object({
    threadId: z.optional(z.uuid()),
    text: z.string().check(z.trim()),
    images: z._default(z.array(z.string()).check(z.maxLength(4)), []),
    /** Ids of files that the visitor has sent before. */
    files: z._default(z.array(z.uuid()).check(z.maxLength(mostChatFiles)), []),
    key: z.uuid(),
  })
  .check(
    z.refine(
      ({ text, images, files }) => text !== "" || images.length + files.length > 0,
      "A message needs words or a file.",
    ),
  );
export type NewMessage = z.input<typeof newMessage>;

export const feedback = z.object({
  rating: z.nullable(z.enum(ratings)),
  comment: z._default(z.string().check(z.trim(), z.maxLength(2_000)), ""),
});

/** An answer as it comes. `text` adds to the answer, `end` is the last event and carries the whole of it. `wait`: it waits for a person. */
export const chatEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), runId: z.string(), threadId: z.string() }),
  z.object({ type: z.literal("text"), delta: z.string() }),
  z.object({ type: z.literal("step"), name: z.string(), state: z.enum(["running", "done", "failed", "rejected"]) }),
  z.object({ type: z.literal("wait"), waiting: z.boolean() }),
  z.object({ type: z.literal("end"), status: answerStatus, answer: z.string(), ...extras }),
]);
export type ChatEvent = z.infer<typeof chatEvent>;

/** The body of a refusal, as far as a visitor is told. */
export const chatProblem = z.object({ code: z.string(), title: z.string(), detail: z._default(z.string(), "") });
