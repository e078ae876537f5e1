import { z } from "zod/mini";
import type { DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { findRun } from "../../_shared/door-runs.ts";
import { respondEvents, type StreamEvent } from "../../_shared/event-stream.ts";
import type { AnswerUsage } from "../../_shared/follow-answer.ts";
import { respondJson } from "../../_shared/respond.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import { type ApiKey, openWithKey } from "../run/api-key.ts";
import { wordsOf } from "./chat-completions.ts";
import { responseFormat } from "./answer-format.ts";
import { sentHistory } from "./sent-history.ts";
import { failureOf, openTurn, type OpenTurn, wholeAnswer } from "./open-turn.ts";
import { conversationName } from "./openai-request.ts";

const maxRequestBytes = 16 * 1024 * 1024;

/** What a request for Responses says, as far as a workflow takes it. */
export const responsesRequest = z.object({
  model: z.string().check(z.minLength(1), z.maxLength(100)),
  input: z.pipe(
    // A text alone is what the user says. A union with the history would keep its reasons to itself.
    z.pipe(
      z.union([z.string(), z.array(z.unknown())]),
      z.transform((input) => (typeof input === "string" ? [{ role: "user", content: input }] : input)),
    ),
    sentHistory,
  ),
  instructions: z.nullish(z.string()),
  text: z.nullish(z.object({ format: z.nullish(responseFormat) })),
  stream: z.nullish(z.boolean()),
  user: z.nullish(z.string().check(z.maxLength(500))),
  conversation: z.nullish(
    z.union([
      z.string().check(z.maxLength(500)),
      z.pipe(
        z.object({ id: z.string().check(z.maxLength(500)) }),
        z.transform(({ id }) => id),
      ),
    ]),
  ),
  previous_response_id: z.nullish(z.string().check(z.maxLength(100))),
});

/**
 * `POST /v1/responses`: as chat completions, in the form of OpenAI's Responses. `previous_response_id` goes on with the
 * conversation of an answer to the same key.
 */
export const responsesRoute: DoorRoute = {
  method: "POST",
  path: "/v1/responses",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    const parsed = responsesRequest.safeParse(await call.readJson(maxRequestBytes));
    if (!parsed.success) throw new DoorProblem(problems.badRequest(wordsOf(parsed.error)));
    const {
      model,
      input,
      instructions,
      stream,
      user,
      conversation,
      previous_response_id: previous,
      text: form,
    } = parsed.data;
    const session = previous == null ? undefined : await sessionOfResponse(previous, key, context.supabase);
    const said = instructions == null ? [] : [{ role: "system" as const, text: instructions, images: [], files: [] }];
    const asked = {
      model,
      messages: [...said, ...input],
      conversation: conversationName(user, conversation),
      session,
      format: form?.format,
    };
    const turn = await openTurn(call, key, asked, context);
    if (stream === true) return respondEvents(events(turn, previous ?? null), turn.cancel);
    const { text, usage } = await wholeAnswer(turn);
    return respondJson(responseOf(turn, previous ?? null, { status: "completed", text, usage }));
  },
};

/** The session that an answer was given in; an answer to another key does not exist for this one. */
async function sessionOfResponse(response: string, key: ApiKey, supabase: SupabaseClient): Promise<string> {
  const id = z.uuid().safeParse(response.replace(/^resp_/, ""));
  const run = id.success ? await findRun(supabase, id.data) : null;
  if (run === null || run.keyId !== key.id || run.subject === null)
    throw new DoorProblem(problems.notFound("response"));
  return run.subject;
}

type State =
  | { status: "in_progress" }
  | { status: "failed"; error: { code: string; message: string } }
  | { status: "completed"; text: string; usage: AnswerUsage };

function responseOf(turn: OpenTurn, previous: string | null, state: State) {
  const { runId, model, createdAt } = turn;
  return {
    id: `resp_${runId}`,
    object: "response",
    created_at: createdAt,
    status: state.status,
    model,
    output: state.status === "completed" ? [messageOf(turn, state.text)] : [],
    ...(state.status === "completed" ? { output_text: state.text } : {}),
    usage: state.status === "completed" ? usageOf(state.usage) : null,
    error: state.status === "failed" ? state.error : null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: previous,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
  };
}

function messageOf({ runId }: OpenTurn, text: string | null) {
  return {
    id: `msg_${runId}`,
    type: "message",
    role: "assistant",
    status: text === null ? "in_progress" : "completed",
    content: text === null ? [] : [textPart(text)],
  };
}

const textPart = (text: string) => ({ type: "output_text", text, annotations: [] });

function usageOf({ inputTokens, outputTokens }: AnswerUsage) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

async function* events(turn: OpenTurn, previous: string | null): AsyncGenerator<StreamEvent> {
  let sequence = 0;
  const told = (type: string, fields: object): StreamEvent => ({
    event: type,
    data: { type, sequence_number: sequence++, ...fields },
  });
  const place = { item_id: `msg_${turn.runId}`, output_index: 0, content_index: 0 };
  const begun = responseOf(turn, previous, { status: "in_progress" });
  yield told("response.created", { response: begun });
  yield told("response.in_progress", { response: begun });
  yield told("response.output_item.added", { output_index: 0, item: messageOf(turn, null) });
  yield told("response.content_part.added", { ...place, part: textPart("") });
  let written = "";
  for await (const news of turn.news) {
    if (news.kind === "text") {
      written += news.text;
      yield told("response.output_text.delta", { ...place, delta: news.text, logprobs: [] });
    }
    if (news.kind !== "end") continue;
    if (news.run.status !== "completed") {
      const { code, detail } = failureOf(news.run);
      const error = { code, message: detail };
      yield told("response.failed", { response: responseOf(turn, previous, { status: "failed", error }) });
      return;
    }
    yield told("response.output_text.done", { ...place, text: written, logprobs: [] });
    yield told("response.content_part.done", { ...place, part: textPart(written) });
    yield told("response.output_item.done", { output_index: 0, item: messageOf(turn, written) });
    const { usage } = news;
    yield told("response.completed", {
      response: responseOf(turn, previous, { status: "completed", text: written, usage }),
    });
  }
}
