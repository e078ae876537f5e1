import type { Json, JsonObject } from "../../json.ts";
import { scratchpadSession } from "../../memory/scratchpad.ts";
import {
  assistantMessage,
  type AssistantMessage,
  type ImagePart,
  generatedFiles,
  type MadeFilePart,
  type Message,
  messageText,
  plainParts,
  toolCalls,
  type ToolMessage,
  type TurnFailure,
  type UserMessage,
} from "../../model/message.ts";
import type { FileValue } from "../../file/file.ts";
import type { RunErrorData } from "../../errors.ts";
import { startDeadline } from "../../time/deadline.ts";
import { firstChars } from "../../well-formed.ts";
import type { AgentEnding, AgentFinish, EarlyFinish } from "../ending.ts";
import { createExecution, type Execution } from "../execution.ts";
import { type AgentMemory, createAgentMemory, repairHistory } from "./agent-memory.ts";
import { doneMark } from "./instructions.ts";
import { isOfCallers } from "../../trust/run-sources.ts";
import type { TurnResult } from "./execute-turn.ts";
import type { AgentLoop } from "./prepare-turn.ts";

/** Time for saving a turn after the agent's own time limit, in milliseconds. */
const keepTimeoutMs = 10_000;
/** The same after Stop: less than a run waits for its nodes then. */
const keepStoppedMs = 2_500;

/** Characters of an error that a memory keeps. */
const maxFailureChars = 2_000;

/** Characters of a tool's result that a compact memory keeps. */
const compactResultChars = 500;

/** A turn with an answer. `ending` is there when it stopped early and gave what it had. */
export interface FinishedTurn {
  finish: AgentFinish;
  ending: AgentEnding | undefined;
  output: { response: Json; metadata: JsonObject } & JsonObject;
}

/** Writes the turn to the memory and makes the output. Rejects when the deadline aborts. */
export async function finalizeTurn(loop: AgentLoop, { value, text, ending }: TurnResult): Promise<FinishedTurn> {
  const { store, session } = loop.memory;
  const finish = ending?.finish ?? "completed";
  tellNotMade(loop);
  if (await saveTurn(loop, store, text, ending && { finish: ending.finish }))
    await store.compact(session, async (messages) => {
      const summary = await loop.askModel("summary", messages);
      return summary.text;
    });
  return { finish, ending, output: outputOf(loop, value, finish) };
}

/** Says at the end what was left undone, since nobody could be asked. */
function tellNotMade({ progress: { notMade }, warn }: Execution): void {
  if (notMade.length === 0) return;
  const tools = [...new Set(notMade)].join(", ");
  const calls = notMade.length === 1 ? "One call was" : `${notMade.length} calls were`;
  const hint = "Run it where somebody can answer, or name in the request what these calls need.";
  warn(`${calls} not made, since nobody could be asked: ${tools}.`, hint);
}

/**
 * Writes what there is of a turn that failed or was stopped, the question alone where that is all, in time of its own: the run
 * may be over already.
 */
export async function keepTurn(loop: AgentLoop, finish: EarlyFinish, error: RunErrorData): Promise<void> {
  const { run, progress } = loop;
  if (progress.isRemembered) return;
  const turn = turnSoFar(loop);
  const hasCalls = exchangesOf(loop, turn, true).some(
    (message) => message.role === "assistant" && messageText(message) === progress.lastText,
  );
  // What the model said with its last calls stands there already.
  const text = (progress.cutText || progress.continued || (hasCalls ? "" : progress.lastText))
    .replaceAll(doneMark, "")
    .trimEnd();
  const limitMs = finish === "cancelled" ? keepStoppedMs : keepTimeoutMs;
  const ownTime = startDeadline(run.host, new AbortController().signal, limitMs, "Saving what there is");
  const store = createAgentMemory(createExecution({ ...run, signal: ownTime.signal }, ownTime, progress));
  const failure = { message: firstChars(error.message, maxFailureChars), hint: error.hint };
  const end = { finish, ...(finish === "cancelled" ? {} : { failure }) };
  await saveTurn(loop, store, text, end).finally(() => ownTime.stop());
}

/** The messages after the question, with what is there of tool calls that were stopped. */
function turnSoFar({ conversation, progress }: AgentLoop): Message[] {
  return [...conversation.turn, ...progress.finishedResults];
}

/** Why a turn ended early, and the error where there was one. */
interface EarlyEnd {
  finish: EarlyFinish;
  failure?: TurnFailure;
}

/** The `metadata` of the output (SPEC §3.2), with the tools whose calls were not made where nobody could be asked (`notMade`). */
export function metadataOf({ run, progress }: Execution, finish: AgentFinish): JsonObject {
  return {
    iterations: progress.iterations,
    rounds: progress.round,
    toolsUsed: [...progress.toolsUsed],
    finishReason: finish,
    usage: { ...progress.usage },
    costUsd: progress.costUsd,
    durationMs: run.host.now() - progress.startedAt,
    ...(progress.notMade.length > 0 ? { notMade: [...new Set(progress.notMade)] } : {}),
  };
}

/**
 * The agent's output (SPEC §3.2): response and metadata; the web pages (`sources`) and pictures (`files`) of the answer where it has
 * any; `full` adds tool calls, plan and reflections, `returnIntermediateSteps` adds every step. Recordings from before pictures were
 * files have them as URLs (`images`).
 */
function outputOf(loop: AgentLoop, response: Json, finish: AgentFinish): FinishedTurn["output"] {
  const { run, progress, conversation } = loop;
  const { outputFormat, returnIntermediateSteps } = run.settings;
  const { plan, reflections, steps } = progress;
  const said = conversation.turn.findLast((message) => message.role === "assistant");
  const toolCalls = progress.toolCalls.map((call): JsonObject => ({ ...call }));
  const sources = (said?.sources ?? []).map((source): JsonObject => ({ ...source }));
  const images = picturesOf(conversation.turn).flatMap((part) => (part.type === "image" ? [part.url] : []));
  const files = filesOfAnswer(conversation.turn);
  return {
    response,
    ...(sources.length > 0 ? { sources } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(files.length > 0 ? { files } : {}),
    metadata: metadataOf(loop, finish),
    ...(outputFormat === "full" ? { toolCalls, plan, reflections } : {}),
    ...(returnIntermediateSteps ? { steps } : {}),
  };
}

/** The files of the last answer that brought some: a model may draw first and call a tool or comment afterwards. */
function filesOfAnswer(turn: readonly Message[]): FileValue[] {
  return turn.map(generatedFiles).findLast((files) => files.length > 0) ?? [];
}

function picturesOf(turn: readonly Message[]): (ImagePart | MadeFilePart)[] {
  const said = turn.findLast((message) => message.role === "assistant");
  return (said?.parts ?? []).filter((part) => part.type === "image" || part.type === "made-file");
}

/** Writes a turn with `text` as its answer, and what changed in the scratchpad. False when the turn could not be written. */
async function saveTurn(
  loop: AgentLoop,
  store: AgentMemory,
  text: string,
  end: EarlyEnd | undefined,
): Promise<boolean> {
  const { session, asked, scratchpad } = loop.memory;
  const saved = await store.save(session, turnToRemember(loop, text, end), asked);
  loop.progress.isRemembered = saved;
  const note = scratchpad?.changes(loop.progress.untrusted.length > 0);
  if (note) await store.save(scratchpadSession(session), [note]);
  return saved;
}

/**
 * One turn as the memory keeps it: the question with its origin, the tool exchanges as the setting says, the answer. Reviews,
 * rounds and earlier drafts are not kept. The answer is marked if untrusted content went into it, whatever else is kept,
 * and where the turn ended early (`end`): then it may have no text, and calls without a result are left out.
 */
function turnToRemember(loop: AgentLoop, answer: string, end: EarlyEnd | undefined): Message[] {
  const { run, progress, conversation } = loop;
  const turn = turnSoFar(loop);
  const question: UserMessage = {
    ...conversation.question,
    ...(run.untrusted?.length ? { untrusted: true } : {}),
    ...(run.untrusted?.length && run.untrusted.every(isOfCallers) ? { caller: true } : {}),
    ...(run.origin ? { origin: run.origin } : {}),
  };
  const exchanges = exchangesOf(loop, turn, end !== undefined);
  const sources = turn.findLast((message) => message.role === "assistant")?.sources;
  const pictures = picturesOf(turn);
  const words = answer === "" && (end !== undefined || pictures.length > 0) ? [] : assistantMessage(answer).parts;
  const last: AssistantMessage = {
    role: "assistant",
    parts: [...words, ...pictures],
    ...(sources ? { sources } : {}),
    ...(progress.untrusted.length > 0 ? { untrusted: true } : {}),
    ...(end === undefined ? {} : { incomplete: end.finish }),
    ...(end?.failure ? { failure: end.failure } : {}),
  };
  return [question, ...exchanges, last];
}

/** The calls of a turn and their results as the setting says; where the turn ended early, only calls that have a result. */
function exchangesOf(
  { run, untrustedBefore }: AgentLoop,
  turn: readonly Message[],
  endedEarly: boolean,
): (AssistantMessage | ToolMessage)[] {
  const { rememberToolCalls: setting } = run.settings;
  if (setting === "none") return [];
  const exchanges: (AssistantMessage | ToolMessage)[] = [];
  let tainted = untrustedBefore;
  for (const message of endedEarly ? repairHistory(turn) : turn) {
    if (message.role === "tool") {
      tainted ||= message.untrusted === true;
      // Its pictures and files were for the turn in which they came.
      const { images: _images, files: _files, ...kept } = message;
      const marked = { ...kept, untrusted: message.untrusted === true };
      exchanges.push(setting === "compact" ? compact(marked) : marked);
    } else if (message.role === "assistant" && toolCalls(message).length > 0) {
      const kept = setting === "compact" ? { ...message, parts: plainParts(message) } : message;
      exchanges.push(tainted ? { ...kept, untrusted: true } : kept);
    }
  }
  return exchanges;
}

function compact(message: ToolMessage): ToolMessage {
  const { text } = message;
  return text.length <= compactResultChars ? message : { ...message, text: `${firstChars(text, compactResultChars)}…` };
}
