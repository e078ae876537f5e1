import { z } from "zod/mini";
import "../../../../src/engine/config/english-issues.ts";
import type { DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { respondEvents, type StreamEvent } from "../../_shared/event-stream.ts";
import type { AnswerUsage } from "../../_shared/follow-answer.ts";
import { openAiProblem } from "../../_shared/problem-forms.ts";
import { respondJson } from "../../_shared/respond.ts";
import { openWithKey } from "../run/api-key.ts";
import { chatFormat } from "./answer-format.ts";
import { sentHistory } from "./sent-history.ts";
import { failureOf, openTurn, type OpenTurn, wholeAnswer } from "./open-turn.ts";
import { conversationName } from "./openai-request.ts";

const maxRequestBytes = 16 * 1024 * 1024;

/** What a request for Chat Completions says, as far as a workflow takes it. */
export const chatRequest = z.object({
  model: z.string().check(z.minLength(1), z.maxLength(100)),
  messages: sentHistory,
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.object({ include_usage: z.nullish(z.boolean()) })),
  user: z.nullish(z.string().check(z.maxLength(500))),
  n: z.nullish(z.literal(1, "A workflow gives one answer to a request. Send it again for another one.")),
  modalities: z.nullish(z.array(z.literal("text", "A workflow answers with text. Leave modalities out."))),
  response_format: z.nullish(chatFormat),
  metadata: z.nullish(z.record(z.string(), z.string())),
});

/**
 * `POST /v1/chat/completions`: a published workflow in the place of a model. Tools run on our side; settings of models are
 * the workflow's own and left out here. With `user` or `metadata.conversation_id` the workflow remembers the conversation.
 */
export const chatCompletionsRoute: DoorRoute = {
  method: "POST",
  path: "/v1/chat/completions",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    const parsed = chatRequest.safeParse(await call.readJson(maxRequestBytes));
    if (!parsed.success) throw new DoorProblem(problems.badRequest(wordsOf(parsed.error)));
    const { model, messages, stream, stream_options, user, metadata, response_format: format } = parsed.data;
    const conversation = conversationName(user, metadata?.["conversation_id"]);
    const turn = await openTurn(call, key, { model, messages, conversation, format }, context);
    if (stream === true) return respondEvents(chunks(turn, stream_options?.include_usage === true), turn.cancel);
    const { text, usage } = await wholeAnswer(turn);
    const message = { role: "assistant", content: text, refusal: null };
    return respondJson({
      ...headOf(turn, "chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      usage: usageOf(usage),
    });
  },
};

async function* chunks(turn: OpenTurn, withUsage: boolean): AsyncGenerator<StreamEvent> {
  const chunk = (delta: object, finish: string | null = null): StreamEvent => ({
    data: {
      ...headOf(turn, "chat.completion.chunk"),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    },
  });
  yield chunk({ role: "assistant", content: "" });
  for await (const news of turn.news) {
    if (news.kind === "text") yield chunk({ content: news.text });
    if (news.kind !== "end") continue;
    if (news.run.status !== "completed") {
      yield { data: openAiProblem(failureOf(news.run)) };
      return;
    }
    yield chunk({}, "stop");
    if (withUsage) {
      yield { data: { ...headOf(turn, "chat.completion.chunk"), choices: [], usage: usageOf(news.usage) } };
    }
    yield { data: "[DONE]" };
  }
}

function headOf({ runId, model, createdAt }: OpenTurn, object: string) {
  return { id: `chatcmpl-${runId}`, object, created: createdAt, model };
}

function usageOf({ inputTokens, outputTokens }: AnswerUsage) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

/** What is wrong with a request, by the fields' names. */
export function wordsOf(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  return issue === undefined
    ? "The request is not understood."
    : `${issue.path.join(".") || "The body"}: ${issue.message}`;
}
