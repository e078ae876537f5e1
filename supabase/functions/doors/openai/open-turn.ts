import type { DoorCall } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import { cancelRun, type DoorRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { withoutBytes } from "../../_shared/files/attached.ts";
import { type AnswerNews, followAnswer } from "../../_shared/follow-answer.ts";
import { startWithFiles } from "../../_shared/start-with-files.ts";
import type { ApiKey } from "../run/api-key.ts";
import { findRunnable } from "../run/publication.ts";
import { sessionOf, sessionOfOneRun } from "../run/sessions.ts";
import { type AnswerFormat, fitting, formatInstruction } from "./answer-format.ts";
import { type SentMessage, turnOf } from "./conversation.ts";
import { runHeader } from "../../../../src/engine/studio-headers.ts";
import { errorText } from "../../../../src/engine/errors.ts";

/** What a client asks of a workflow, in whichever form. */
export interface Asked {
  model: string;
  messages: readonly SentMessage[];
  /** Names of a conversation, within the key; undefined where the client keeps it itself. */
  conversation: string | undefined;
  /** A session of this key's that is gone on with. */
  session?: string | undefined;
  format?: AnswerFormat;
}

/** A run that answers a client. */
export interface OpenTurn {
  runId: string;
  model: string;
  /** Seconds since 1970. */
  createdAt: number;
  news: AsyncGenerator<AnswerNews>;
  /** Ends the run: nobody waits for its answer any more. */
  cancel(): void;
}

/** Starts the run of one turn. Throws DoorProblem. */
export async function openTurn(call: DoorCall, key: ApiKey, asked: Asked, context: FunctionContext): Promise<OpenTurn> {
  const { supabase } = context;
  const { door, version, interface: published } = await findRunnable(asked.model, key, supabase);
  const named =
    asked.session ?? (asked.conversation === undefined ? undefined : await sessionOf(key, asked.conversation));
  const turn = turnOf(asked.messages, named !== undefined);
  if (turn === null)
    throw new DoorProblem(
      problems.badRequest("The last message must be the user's, with text, a picture or a file, or a tool's result."),
    );
  turn.message += formatInstruction(asked.format, published.answersJson);
  const session = named ?? sessionOfOneRun(key, undefined);
  call.takeStream({ key: key.id });
  const start = {
    publication: door,
    target: String(version),
    source: "api",
    keyId: key.id,
    subject: session,
    sender: { kind: "key", name: key.id },
  } as const;
  const input = withoutBytes({ ...turn, sessionId: session });
  const { id } = await startWithFiles(context, input, start, call.request.signal);
  call.share.giveBack();
  call.setHeader(runHeader, id);
  // A client that tries again would start a second run while the first may have done things already.
  call.setHeader("x-should-retry", "false");
  const cancel = (): void => void cancelRun(supabase, id).catch(() => undefined);
  call.request.signal.addEventListener("abort", cancel, { once: true });
  return {
    runId: id,
    model: asked.model,
    createdAt: Math.floor(Date.now() / 1_000),
    news: fitting(followAnswer(supabase, id, published.answering, call.request.signal), asked.format),
    cancel,
  };
}

/** Why a run gave no answer, for who waits for one. */
export function failureOf({ status, error }: DoorRun): Problem {
  if (status === "cancelled") {
    return { status: 502, code: "cancelled", title: "Cancelled", detail: "The run was cancelled." };
  }
  const detail = error ? errorText(error) : "The run ended without an answer.";
  return { status: 502, code: error?.code ?? "run_failed", title: "The run failed", detail };
}

/** The end of a run with a whole answer. Throws DoorProblem where it failed. */
export async function wholeAnswer(turn: OpenTurn): Promise<Extract<AnswerNews, { kind: "end" }>> {
  for await (const news of turn.news) {
    if (news.kind !== "end") continue;
    if (news.run.status !== "completed") throw new DoorProblem(failureOf(news.run));
    return news;
  }
  throw new DoorProblem(problems.internal);
}
