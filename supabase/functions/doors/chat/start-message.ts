import { z } from "zod/mini";
import { isChatPicture, type newMessage } from "../../../../src/doors/chat-api.ts";
import type { FileValue } from "../../../../src/engine/file/file.ts";
import { bytesOfBase64, readDataUrl } from "../../../../src/engine/model/data-url.ts";
import { loopbackFactor } from "../../_shared/caller-address.ts";
import { type DoorCall, sha256, takeDoorLimit } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { discardFiles, keepSent, type SentFile } from "../../_shared/files/door-files.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";
import { withEnding } from "../../_shared/files/named-by-headers.ts";
import { checkedSize, shareProblem, type StartRefusal, startRefusal } from "../../_shared/sender-shares.ts";
import type { ChatPublication } from "./chat-publication.ts";
import { sendersOf } from "./keep-upload.ts";
import { memoryPrefix } from "./visitor.ts";

const maxPictureChars = 1_500_000;

const started = z.union([z.object({ runId: z.string(), threadId: z.string(), isNew: z.boolean() }), startRefusal]);

/**
 * Starts the run that answers a message. What is refused is refused before anything is started, counted or kept: the message's
 * size and form, the address's limit on this page, the day's messages, and the limits of the publication. Throws DoorProblem.
 */
export async function startMessage(
  { chat, subject }: { chat: ChatPublication; subject: string },
  message: z.infer<typeof newMessage>,
  call: DoorCall,
  context: FunctionContext,
): Promise<{ runId: string; threadId: string }> {
  const { supabase } = context;
  const { text, images, threadId, key } = message;
  const { config, workflowId } = chat;
  if (text.length > config.messageChars) throw new DoorProblem(tooLong(config.messageChars));
  if (images.length > 0 && !config.attachments)
    throw new DoorProblem(problems.badRequest("This chat takes no pictures."));
  const pictures = images.map(pictureIn);
  const most = call.network === "loopback" ? config.perMinute * loopbackFactor : config.perMinute;
  const { wait } = await takeDoorLimit(supabase, `chat ${workflowId} ${call.network}`, most);
  if (wait > 0) throw new DoorProblem(problems.tooMany(`You are sending fast. Try again in ${wait} seconds.`, wait));
  const senders = await sendersOf(chat, subject, call.network);
  const sent = await sentBefore(chat, message.files, context);
  const idempotencyKey = `chat ${await sha256(`${subject} ${key}`)}`;
  const kept = await keepSent(
    context,
    { publication: chat, senders, key: idempotencyKey },
    pictures,
    call.request.signal,
  );
  let isNew = false;
  try {
    for (const { $file } of kept) {
      const noted = { p_workflow_id: workflowId, p_subject: subject, p_file: $file };
      await supabase.callAsService("studio_note_chat_upload", noted);
    }
    const files = [...kept, ...sent];
    const input = { message: text, ...(files.length > 0 && { files }) };
    const answer = started.parse(
      await supabase.callAsService("studio_chat_begin", {
        p_workflow_id: workflowId,
        p_subject: subject,
        p_thread_id: threadId ?? null,
        p_key: idempotencyKey,
        p_input: input,
        p_session_prefix: await memoryPrefix(chat, subject),
        p_per_day: config.perDay,
        p_senders: senders,
        p_bytes: checkedSize(input, chat.limits) + kept.reduce((sum, { size }) => sum + size, 0),
        p_files: files.map(({ $file }) => $file),
      }),
    );
    if (!("runId" in answer)) throw new DoorProblem(problemFor(answer, config.closedMessage));
    isNew = answer.isNew;
    return answer;
  } finally {
    if (!isNew) await discardFiles(context, chat.owner, kept);
  }
}

/** A picture that stands in a message itself. */
function pictureIn(url: string, index: number): SentFile {
  const { type, data } = (url.length <= maxPictureChars && readDataUrl(url)) || { type: "", data: "" };
  const bytes = isChatPicture(type) ? bytesOfBase64(data) : undefined;
  if (bytes === undefined)
    throw new DoorProblem(problems.badRequest("A picture is a PNG, JPEG, WebP or GIF of at most 1 MB."));
  return { name: withEnding(`picture-${index + 1}`, type), mediaType: type, bytes };
}

/** What the page has from before; whose it is the database checks where the message is taken. */
async function sentBefore(
  chat: ChatPublication,
  ids: readonly string[],
  context: FunctionContext,
): Promise<FileValue[]> {
  const storage = createFileStorage(context);
  const found = await Promise.all(ids.map((id) => storage.describe({ owner: chat.owner }, id)));
  return found.map((file) => {
    if (file === null) throw new DoorProblem(fileGone);
    return file;
  });
}

const fileGone: Problem = {
  ...problems.notFound("file"),
  detail: "A file attached to this message no longer exists. Attach it again.",
};

function tooLong(most: number): Problem {
  return {
    status: 413,
    code: "too_large",
    title: "Message too long",
    detail: `A message has at most ${most} characters.`,
  };
}

function problemFor(refusal: StartRefusal, closedMessage: string): Problem {
  const { problem, retryAfter = 5 } = refusal;
  switch (problem) {
    case "share":
      return shareProblem(refusal);
    case "not_published":
      return problems.notFound("chat");
    case "no_file":
      return fileGone;
    case "no_thread":
      return problems.notFound("conversation");
    case "closed":
    // What is spent is the owner's business; to visitors it looks the same.
    case "spent":
      return {
        status: 503,
        code: "closed",
        title: "Closed for now",
        detail: closedMessage || "It has answered as much as it may for today. Please come back tomorrow.",
        retryAfter,
      };
    case "waiting":
      return problems.tooMany("Wait until your other questions are answered.", retryAfter);
    case "rate_limit":
    case "busy":
      return problems.tooMany(`Many people are asking right now. Try again in ${retryAfter} seconds.`, retryAfter);
    default:
      return problems.internal;
  }
}
