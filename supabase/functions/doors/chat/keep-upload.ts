import { isChatPicture, largestChatFile, type SentFile } from "../../../../src/doors/chat-api.ts";
import { chatShares } from "../../../../src/doors/chat-door.ts";
import { fileName, mediaTypeOf } from "../../../../src/engine/file/file-name.ts";
import { fileNameHeader } from "../../../../src/engine/studio-headers.ts";
import type { DoorCall } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { keepFile, takeUpload } from "../../_shared/files/door-files.ts";
import { decoded } from "../../_shared/files/named-by-headers.ts";
import { type SenderShare, shareOf } from "../../_shared/sender-shares.ts";
import type { ChatPublication } from "./chat-publication.ts";

/** Who sends, as the shares of a page count it: the visitor and the network. */
export async function sendersOf(chat: ChatPublication, subject: string, network: string): Promise<SenderShare[]> {
  const shares = chatShares(chat.config);
  return [
    await shareOf({ kind: "visitor", name: `${chat.workflowId} ${subject}` }, shares.visitor),
    await shareOf({ kind: "network", name: network }, shares.network),
  ];
}

/**
 * Stores the body of a call as a file that goes with a later message of its visitor. Its bytes count as the visitor's for the day
 * before the first is read. Throws DoorProblem.
 */
export async function keepUpload(
  { chat, subject }: { chat: ChatPublication; subject: string },
  call: DoorCall,
  context: FunctionContext,
): Promise<SentFile> {
  const { headers, signal } = call.request;
  const mediaType = mediaTypeOf(headers.get("content-type"));
  const { attachments, files } = chat.config;
  if (!(isChatPicture(mediaType) ? attachments || files : files)) {
    throw new DoorProblem(
      problems.badRequest(attachments ? "This chat accepts pictures only." : "This chat does not accept files."),
    );
  }
  const size = Number(headers.get("content-length") ?? NaN);
  if (!Number.isSafeInteger(size))
    throw new DoorProblem(problems.badRequest("Give the file's size in a Content-Length header."));
  if (size > largestChatFile) throw new DoorProblem(tooLarge);
  const senders = await sendersOf(chat, subject, call.network);
  await takeUpload(context, { publication: chat, senders }, size);
  const name = fileName(decoded(headers.get(fileNameHeader) ?? ""));
  const kept = await keepFile(context, chat.owner, { name, mediaType, bytes: call.streamBody(size) }, signal);
  const noted = { p_workflow_id: chat.workflowId, p_subject: subject, p_file: kept.$file };
  await context.supabase.callAsService("studio_note_chat_upload", noted);
  return { id: kept.$file, name: kept.name, mediaType: kept.mediaType, size: kept.size };
}

const tooLarge: Problem = {
  status: 413,
  code: "too_large",
  title: "File too large",
  detail: `A file may have at most ${largestChatFile / 1024 / 1024} MB.`,
};
