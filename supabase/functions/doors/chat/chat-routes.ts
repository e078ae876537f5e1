import { z } from "zod/mini";
import {
  type ChatEvent,
  type ChatPageInfo,
  type ChatTurn,
  chatThreads,
  feedback,
  newMessage,
  openSession,
  ratings,
  resumeSession,
} from "../../../../src/doors/chat-api.ts";
import { framingSites } from "../../../../src/doors/chat-door.ts";
import { filesIn } from "../../../../src/engine/file/file.ts";
import { isJsonObject, type Json } from "../../../../src/engine/json.ts";
import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { cancelRun, findRun, followRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { interfaceOf } from "../../_shared/published-version.ts";
import { respondJson } from "../../_shared/respond.ts";
import { answerEvents, answerStatusOf, type AnswerView, shownAnswer } from "./answer-events.ts";
import { answerView, linker } from "./answer-view.ts";
import { type ChatPublication, openChat } from "./chat-publication.ts";
import { eventStream } from "./event-stream.ts";
import { keepUpload } from "./keep-upload.ts";
import { startMessage } from "./start-message.ts";
import { enterChat, leaveChat, memoryPrefix, resumeChat, visitorOf } from "./visitor.ts";
import { checkWork, makeChallenge } from "./visitor-work.ts";

const smallBytes = 16 * 1024;
/** Words of the longest message in bytes, with what JSON adds. */
const messageBytes = 160 * 1024;
/** Four pictures of a message. */
const pictureBytes = 6 * 1024 * 1024;

/** A visitor's call: of which page, and whose. */
interface Visit {
  chat: ChatPublication;
  subject: string;
}

const pageRoute: DoorRoute = {
  method: "GET",
  path: "/c-api/:slug/page",
  async handle(call, context) {
    const { config, name, workflowId, version } = await openChat(call, context);
    const {
      welcome,
      placeholder,
      picture,
      theme,
      accent,
      questions,
      access,
      attachments,
      files,
      messageChars,
      asksForWork,
    } = config;
    const title = config.title || name;
    const info: ChatPageInfo = {
      title,
      welcome,
      placeholder,
      picture,
      theme,
      accent,
      questions: questions.length > 0 ? questions : await ownQuestions(workflowId, version, context),
      access,
      attachments: attachments || files,
      files,
      messageChars,
      sites: [...framingSites(config)],
      asksForWork,
    };
    return respondJson(info);
  },
};

/** Those of the workflow, where its page has none of its own; at most what fits there. */
async function ownQuestions(workflowId: string, version: number, { supabase }: FunctionContext): Promise<string[]> {
  return (await interfaceOf(supabase, workflowId, version)).questions.slice(0, 4);
}

const challengeRoute: DoorRoute = {
  method: "GET",
  path: "/c-api/:slug/challenge",
  async handle(call, context) {
    const chat = await openChat(call, context);
    if (!chat.config.asksForWork) throw new DoorProblem(problems.notFound("challenge"));
    return respondJson(await makeChallenge(chat, context));
  },
};

const sessionRoute: DoorRoute = {
  method: "POST",
  path: "/c-api/:slug/session",
  async handle(call, context) {
    const chat = await openChat(call, context);
    const proof = parsed(openSession, (await call.readJson(smallBytes)) ?? {});
    if (chat.config.asksForWork) await checkWork(chat, proof.work, context);
    return respondJson({ token: await enterChat(chat, proof, call, context) }, 201);
  },
};

const resumeRoute: DoorRoute = {
  method: "POST",
  path: "/c-api/:slug/resume",
  async handle(call, context) {
    const chat = await openChat(call, context);
    const { browser } = parsed(resumeSession, (await call.readJson(smallBytes)) ?? {});
    const token = await resumeChat(chat, browser, context);
    return token === null ? new Response(null, { status: 204 }) : respondJson({ token });
  },
};

const leaveRoute = visitorRoute("POST", "/c-api/:slug/leave", async ({ chat }, call, context) => {
  await leaveChat(call, chat, context);
  return new Response(null, { status: 204 });
});

const threadsRoute = visitorRoute("GET", "/c-api/:slug/threads", async ({ chat, subject }, _call, { supabase }) => {
  const asked = { p_workflow_id: chat.workflowId, p_subject: subject };
  return respondJson(
    chatThreads.parse({ threads: await supabase.callAsService("studio_chat_threads_of", asked, "reads") }),
  );
});

const storedTurns = z.array(
  z.object({
    runId: z.string(),
    status: z.string(),
    input: z.nullish(z.json()),
    output: z.nullish(z.json()),
    hasEnding: z.boolean(),
    rating: z.nullable(z.enum(ratings)),
    comment: z.string(),
  }),
);

const threadRoute = visitorRoute(
  "GET",
  "/c-api/:slug/threads/:id",
  async ({ chat, subject }, call, { supabase, environment }) => {
    const asked = { p_workflow_id: chat.workflowId, p_subject: subject, p_thread_id: idOf(call) };
    const found = await supabase.callAsService("studio_chat_turns_of", asked, "reads");
    if (found === null) throw new DoorProblem(problems.notFound("conversation"));
    const link = linker({ environment });
    return respondJson({ turns: await Promise.all(storedTurns.parse(found).map((turn) => shownTurn(turn, link))) });
  },
);

async function shownTurn(turn: z.infer<typeof storedTurns>[number], link: AnswerView["link"]): Promise<ChatTurn> {
  const { runId, rating, comment } = turn;
  const input = turn.input as Json | undefined;
  const { message, images, files } = isJsonObject(input) ? input : {};
  const output = (turn.output ?? undefined) as Json | undefined;
  return {
    runId,
    rating,
    comment,
    text: typeof message === "string" ? message : "",
    images: Array.isArray(images) ? images.filter((url) => typeof url === "string") : [],
    sent: await link(filesIn(files), runId),
    ...(await shownAnswer({ runId, status: turn.status, output }, { link })),
    status: answerStatusOf(turn.status, turn.hasEnding),
  };
}

const deleteRoute = visitorRoute(
  "DELETE",
  "/c-api/:slug/threads/:id",
  async ({ chat, subject }, call, { supabase }) => {
    const id = idOf(call);
    const gone = await supabase.callAsService("studio_chat_delete", {
      p_workflow_id: chat.workflowId,
      p_subject: subject,
      p_thread_id: id,
      p_session_id: `${await memoryPrefix(chat, subject)}${id}`,
    });
    if (gone !== true) throw new DoorProblem(problems.notFound("conversation"));
    return new Response(null, { status: 204 });
  },
);

const uploadRoute = visitorRoute("POST", "/c-api/:slug/files", async (visit, call, context) =>
  respondJson(await keepUpload(visit, call, context), 201),
);

const messageRoute = visitorRoute("POST", "/c-api/:slug/messages", async (visit, call, context) => {
  const most = visit.chat.config.attachments ? pictureBytes : messageBytes;
  const message = parsed(newMessage, await call.readJson(most));
  const visitor = visitorName(visit);
  call.takeStream({ visitor });
  const { runId, threadId } = await startMessage(visit, message, call, context);
  call.takeStream({ run: runId });
  return streamAnswer(visit.chat, runId, visit.chat.version, threadId, context);
});

const followRoute = visitorRoute("GET", "/c-api/:slug/runs/:id/events", async (visit, call, context) => {
  const threadId = await ownThread(visit, call, context);
  const run = await findRun(context.supabase, idOf(call));
  if (run === null) throw new DoorProblem(problems.notFound("answer"));
  call.takeStream({ visitor: visitorName(visit), run: run.id });
  return streamAnswer(visit.chat, run.id, run.version ?? visit.chat.version, threadId, context);
});

const stopRoute = visitorRoute("POST", "/c-api/:slug/runs/:id/stop", async (visit, call, context) => {
  await ownThread(visit, call, context);
  await cancelRun(context.supabase, idOf(call));
  return new Response(null, { status: 204 });
});

const feedbackRoute = visitorRoute("POST", "/c-api/:slug/runs/:id/feedback", async (visit, call, { supabase }) => {
  const { rating, comment } = parsed(feedback, await call.readJson(smallBytes));
  const kept = await supabase.callAsService("studio_chat_rate", {
    p_workflow_id: visit.chat.workflowId,
    p_subject: visit.subject,
    p_run_id: idOf(call),
    p_rating: rating,
    p_comment: rating === null ? "" : comment,
  });
  if (kept !== true) throw new DoorProblem(problems.notFound("answer"));
  return new Response(null, { status: 204 });
});

/** A route for visitors who have been let in. */
function visitorRoute(
  method: DoorRoute["method"],
  path: DoorRoute["path"],
  handle: (visit: Visit, call: DoorCall, context: FunctionContext) => Promise<Response>,
): DoorRoute {
  return {
    method,
    path,
    async handle(call, context) {
      const chat = await openChat(call, context);
      const subject = await visitorOf(call, chat, context);
      return handle({ chat, subject }, call, context);
    },
  };
}

/** The conversation that a run of the call's path answers, if it answers this visitor. */
async function ownThread({ chat, subject }: Visit, call: DoorCall, { supabase }: FunctionContext): Promise<string> {
  const asked = { p_workflow_id: chat.workflowId, p_subject: subject, p_run_id: idOf(call) };
  const thread = await supabase.callAsService("studio_chat_owns", asked, "reads");
  if (typeof thread !== "string") throw new DoorProblem(problems.notFound("answer"));
  return thread;
}

async function streamAnswer(
  chat: ChatPublication,
  runId: string,
  version: number,
  threadId: string,
  context: FunctionContext,
): Promise<Response> {
  const view = await answerView(chat, version, context);
  const control = new AbortController();
  async function* events(): AsyncGenerator<ChatEvent> {
    yield { type: "start", runId, threadId };
    yield* answerEvents(followRun(context.supabase, runId, -1, control.signal), view);
  }
  return eventStream(events(), () => control.abort());
}

const visitorName = ({ chat, subject }: Visit): string => `${chat.workflowId} ${subject}`;

function idOf(call: DoorCall): string {
  const id = z.uuid().safeParse(call.params["id"]);
  if (!id.success) throw new DoorProblem(problems.notFound("conversation or answer"));
  return id.data;
}

/** Says which field is wrong and never what stood in it. */
function parsed<Shape extends z.ZodMiniType>(shape: Shape, value: unknown): z.infer<Shape> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join(".") ?? "";
  throw new DoorProblem(
    problems.badRequest(field === "" ? "The body has another form." : `The field “${field}” is wrong.`),
  );
}

export const chatRoutes: readonly DoorRoute[] = [
  pageRoute,
  challengeRoute,
  sessionRoute,
  resumeRoute,
  leaveRoute,
  threadsRoute,
  threadRoute,
  deleteRoute,
  uploadRoute,
  messageRoute,
  followRoute,
  stopRoute,
  feedbackRoute,
];
