import { z } from "zod/mini";
import { chatShares } from "../../../../src/doors/chat-door.ts";
import type { newMessage } from "../../../../src/doors/chat-api.ts";
import { loopbackFactor } from "../../_shared/caller-address.ts";
import { type DoorCall, sha256, takeDoorLimit } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { checkedSize, shareOf, shareProblem, type StartRefusal, startRefusal } from "../../_shared/sender-shares.ts";
import type { ChatPublication } from "./chat-publication.ts";
import { memoryPrefix } from "./visitor.ts";

const picture = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;
const mostPictureChars = 1_500_000;

const started = z.union([z.object({ runId: z.string(), threadId: z.string(), isNew: z.boolean() }), startRefusal]);

/**
 * Starts the run that answers a message. What is refused is refused before anything is started, counted or kept: the message's
 * size and form, the address's limit on this page, the day's messages, and the limits of the publication. Throws DoorProblem.
 */
export async function startMessage(
  { chat, subject }: { chat: ChatPublication; subject: string },
  message: z.infer<typeof newMessage>,
  call: DoorCall,
  { supabase }: FunctionContext,
): Promise<{ runId: string; threadId: string }> {
  const { text, images, threadId, key } = message;
  const { config, workflowId } = chat;
  if (text.length > config.messageChars) throw new DoorProblem(tooLong(config.messageChars));
  if (images.length > 0 && !config.attachments)
    throw new DoorProblem(problems.badRequest("This chat takes no pictures."));
  if (!images.every((url) => url.length <= mostPictureChars && picture.test(url))) {
    throw new DoorProblem(problems.badRequest("A picture is a PNG, JPEG, WebP or GIF of at most 1 MB."));
  }
  const most = call.network === "loopback" ? config.perMinute * loopbackFactor : config.perMinute;
  const { wait } = await takeDoorLimit(supabase, `chat ${workflowId} ${call.network}`, most);
  if (wait > 0) throw new DoorProblem(problems.tooMany(`You are sending fast. Try again in ${wait} seconds.`, wait));
  const input = { message: text, ...(images.length > 0 && { images }) };
  const size = checkedSize(input, chat.limits);
  const shares = chatShares(config);
  const answer = started.parse(
    await supabase.callAsService("studio_chat_begin", {
      p_workflow_id: workflowId,
      p_subject: subject,
      p_thread_id: threadId ?? null,
      p_key: `chat ${await sha256(`${subject} ${key}`)}`,
      p_input: input,
      p_session_prefix: await memoryPrefix(chat, subject),
      p_per_day: config.perDay,
      p_senders: [
        await shareOf({ kind: "visitor", name: `${workflowId} ${subject}` }, shares.visitor),
        await shareOf({ kind: "network", name: call.network }, shares.network),
      ],
      p_bytes: size,
    }),
  );
  if ("runId" in answer) return answer;
  throw new DoorProblem(problemFor(answer, config.closedMessage));
}

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
