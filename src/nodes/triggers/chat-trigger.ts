import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject } from "../../engine/json.ts";
import { isMessage } from "../../engine/model/attachments.ts";
import { RunError } from "../../engine/errors.ts";

const chatInput = z.looseObject({
  message: z._default(z.string().check(z.trim()), ""),
  sessionId: z.nullish(z.union([z.string().check(z.maxLength(500)), z.pipe(z.number(), z.transform(String))])),
});

export const chatTrigger = defineNode({
  type: "chat-trigger",
  version: 1,
  role: "trigger",
  startedBy: "message",
  title: "Chat trigger",
  summary: "Starts a run for each chat message.",
  keywords: [
    "start",
    "message",
    "conversation",
    "chatbot",
    "assistant",
    "chat",
    "user input",
    "question",
    "website widget",
    "ask",
  ],
  icon: "message-circle",
  config: z.object({
    questions: field(
      z._default(z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300))).check(z.maxLength(4)), []),
      {
        label: "Example questions",
        help: "Up to four questions that an empty chat offers, one per line.",
        control: "string-list",
      },
    ),
  }),
  inputs: {},
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  describe: () => "Starts with each message",
  accepts: (input) => isJsonObject(input) && typeof input.message === "string",
  inputSchema: () => ({
    type: "object",
    properties: {
      message: {
        type: "string",
        description: "What the person says. It may be empty where pictures or files come with it.",
      },
      sessionId: { type: "string", maxLength: 200, description: "Continues the conversation of this name." },
      images: {
        type: "array",
        items: { type: "string" },
        description: "URLs of pictures: https, or data: with PNG, JPEG, WebP or GIF.",
      },
      files: {
        type: "array",
        items: {
          type: "object",
          properties: {
            url: { type: "string", description: "A data: URL of a PDF, WAV or MP3 file." },
            name: { type: "string" },
          },
          required: ["url"],
        },
        description: "Documents and recordings, for models that read them.",
      },
    },
    required: ["message"],
  }),
  /** The message with its session; without one, the workflow's own. */
  run({ json, workflow }) {
    const input = chatInput.safeParse(json);
    if (!input.success || !isMessage(json)) {
      throw new RunError({
        code: "invalid_arguments",
        message: "The chat trigger received no message and no file, or a session ID that is not text.",
        hint: 'Start the run with { "message": "…" }, and a "sessionId" if the conversation has one.',
      });
    }
    const { message, sessionId } = input.data;
    return { ...json, message, sessionId: sessionId?.trim() || `${workflow.id}:default` };
  },
});
