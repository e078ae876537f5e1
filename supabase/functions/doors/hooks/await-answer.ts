import type { HookAnswer } from "../../../../src/doors/hook-door.ts";
import { httpAnswerSchema, type HttpAnswer, responseParts } from "../../../../src/doors/http-answer.ts";
import { fileIdIn } from "../../../../src/engine/file/file.ts";
import { isJsonObject, type Json } from "../../../../src/engine/json.ts";
import type { RunEvent } from "../../../../src/engine/run/events.ts";
import { DoorProblem, type Problem } from "../../_shared/door-problem.ts";
import type { DoorRun, RunNews } from "../../_shared/door-runs.ts";
import { fileHeaders, respondFile } from "../../_shared/files/file-response.ts";
import type { OpenedFile } from "../../_shared/files/file-storage.ts";
import { respondJson } from "../../_shared/respond.ts";
import { SpokenText } from "../../_shared/spoken-text.ts";

/** A file of the run by its id; null where the run holds none with it. */
export type OpenFile = (id: string) => Promise<OpenedFile | null>;

/** News of a run as they come. */
type News = AsyncIterable<RunNews>;

/**
 * The answer of a run that the caller waits for: what a respond node said, or the output. Null when the news ended before
 * the run did. Throws DoorProblem for a run that failed or never answered, so that it is never told as success.
 */
export async function awaitAnswer(
  answer: Extract<HookAnswer, "output" | "respond">,
  responds: readonly string[],
  news: News,
  openFile: OpenFile,
): Promise<Response | null> {
  for await (const one of news) {
    if (one.kind === "event" && answer === "respond") {
      const given = answerOf(one.event, responds);
      if (given !== undefined) return send(given, openFile);
    }
    if (one.kind === "end") {
      const output = outputOf(one.run);
      if (answer === "respond") throw new DoorProblem(noAnswer);
      const file = await fileIn(onlyValueOf(output), openFile);
      return file === null ? respondJson(output) : respondFile(file);
    }
  }
  return null;
}

/**
 * The text of a run as server-sent events while it is written: `text` with { text }, then `end` with { output } or `error`.
 * Nothing is sent before there is something to tell, so that a run that fails at once is no success.
 */
export async function streamAnswer(news: News): Promise<Response | null> {
  const iterator = news[Symbol.asyncIterator]();
  const spoken = new SpokenText();
  const encoder = new TextEncoder();
  const line = (event: string, data: Json) => encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const first = await nextLine(iterator, spoken, line);
  if (first === null) return null;
  let held: { bytes: Uint8Array; isLast: boolean } | null = first;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = held ?? (await nextLine(iterator, spoken, line));
          held = null;
          if (next === null) return controller.close();
          controller.enqueue(next.bytes);
          if (next.isLast) controller.close();
        } catch (error) {
          const problem = error instanceof DoorProblem ? error.problem : failed;
          controller.enqueue(line("error", { code: problem.code, title: problem.title }));
          controller.close();
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}

async function nextLine(
  iterator: AsyncIterator<RunNews>,
  spoken: SpokenText,
  line: (event: string, data: Json) => Uint8Array,
): Promise<{ bytes: Uint8Array; isLast: boolean } | null> {
  for (;;) {
    const next = await iterator.next();
    if (next.done === true) return null;
    const news = next.value;
    if (news.kind === "end") return { bytes: line("end", { output: outputOf(news.run) }), isLast: true };
    if (news.kind === "status") continue;
    const said = news.kind === "live" ? spoken.live(news.text) : spoken.stored(news.event);
    if (said !== null) return { bytes: line("text", { text: said.text }), isLast: false };
  }
}

function answerOf(event: RunEvent, responds: readonly string[]): HttpAnswer | undefined {
  if (event.type !== "node-end" || event.parentCallId !== undefined || !responds.includes(event.nodeId))
    return undefined;
  return httpAnswerSchema.safeParse(event.output).data;
}

/** What an output with one field holds. One with a list stays a list: its callers count on that, however many it holds. */
function onlyValueOf(output: Json): Json {
  if (!isJsonObject(output)) return output;
  const [value, ...others] = Object.values(output);
  return value === undefined || others.length > 0 ? output : value;
}

/** The file that a body is; null for all other JSON, also for a reference that the run does not hold. */
async function fileIn(body: Json, openFile: OpenFile): Promise<OpenedFile | null> {
  const id = fileIdIn(body);
  return id === undefined ? null : openFile(id);
}

async function send(answer: HttpAnswer, openFile: OpenFile): Promise<Response> {
  const { status, headers, body } = responseParts(answer);
  const file = body === null ? null : await fileIn(answer.body, openFile);
  if (file !== null) {
    // The type of the reference's JSON is not the file's.
    const own = responseParts({ ...answer, body: null }).headers;
    return new Response(file.bytes, { status, headers: { ...fileHeaders(file.file), ...own } });
  }
  return new Response(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

function outputOf({ status, output }: DoorRun): Json {
  if (status === "completed") return output ?? null;
  throw new DoorProblem(status === "cancelled" ? cancelled : failed);
}

const failed: Problem = {
  status: 502,
  code: "run_failed",
  title: "The run failed",
  detail: "The workflow started and did not finish. Its owner sees why in the list of runs.",
};
const cancelled: Problem = { ...failed, code: "run_cancelled", title: "The run was cancelled" };
const noAnswer: Problem = {
  ...failed,
  code: "no_answer",
  title: "The workflow gave no answer",
  detail: "It ended without having come to a Respond node.",
};
