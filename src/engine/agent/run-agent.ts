import type { JsonSchema } from "../json.ts";
import { type FilePart, type Message, taintOfMessages, userMessage, type UserMessage } from "../model/message.ts";
import { RunError, type RunErrorData } from "../run/errors.ts";
import { type AgentLoop, askModel } from "./turn/agent-loop.ts";
import { type AgentMemory, createAgentMemory } from "./memory/agent-memory.ts";
import type { AgentOutcome, AgentRun } from "./agent-run.ts";
import { fileData } from "./attachments/attached-files.ts";
import { questionWith } from "./attachments/attached-images.ts";
import { createModelCaller } from "./model-call/call-model.ts";
import { createToolCaller } from "./tool-call/call-tools.ts";
import { repairHistory, startConversation } from "./turn/conversation.ts";
import { type Deadline, startDeadline } from "../time/deadline.ts";
import type { EarlyFinish } from "./ending.ts";
import { boundedCheck } from "../json-schema/bounded-check.ts";
import { jsonInstruction, planQuestion, planSection, roundsInstruction } from "./turn/instructions.ts";
import { jsonAnswer } from "./turn/json-answer.ts";
import type { AskForSummary, MemoryTurn } from "./memory/memory.ts";
import { metadataOf, outputOf } from "./turn/output.ts";
import { countUsage, newProgress, type Progress } from "./turn/progress.ts";
import { readContext } from "./turn/read-context.ts";
import { turnToRemember } from "./memory/remember.ts";
import { createRounds, type RoundResult } from "./turn/rounds.ts";
import { runRound } from "./turn/run-round.ts";
import { openScratchpad, type Scratchpad, scratchpadSession } from "./memory/scratchpad.ts";
import { joinTaint, noTaint } from "../trust/taint.ts";
import { buildToolTable } from "./tool-call/tool-table.ts";

/** What comes before the question in a conversation. */
interface Before {
  history: Message[];
  context: readonly UserMessage[];
}

function openLoop(
  run: AgentRun,
  deadline: Deadline,
  progress: Progress,
  { history, context }: Before,
  pad?: Scratchpad,
): AgentLoop {
  const { settings, nodeId } = run;
  const warn = (message: string, hint: string) => run.emit({ type: "warning", nodeId, message, hint });
  const own = pad ? [{ value: { tools: pad.tools }, nodeId, edgeId: "" }] : [];
  const checkOf = (schema: JsonSchema) => boundedCheck(run.host, schema, () => deadline.signal);
  const table = buildToolTable([...run.tools, ...own], warn, checkOf);
  const canCall = run.model.value.capabilities.tools;
  if (!canCall && table.definitions.length > 0)
    warn(
      `The model ${run.model.value.modelId} cannot call tools, so none are offered.`,
      "Choose a model that supports tool calls, or remove the tools.",
    );
  if (run.images?.length && !run.model.value.capabilities.vision)
    warn(
      `The model ${run.model.value.modelId} cannot see images, so they were not sent.`,
      "Choose a model with vision, or send the message without images.",
    );
  for (const { name = "a file" } of (run.files ?? []).filter((file) => !canRead(run, file)))
    warn(
      `The model ${run.model.value.modelId} cannot read ${name}, so it was not sent.`,
      "Choose a model that reads such files, or send the message without it.",
    );
  const conversation = startConversation(settings.systemPrompt, repairHistory(history), questionOf(run), context);
  if (settings.outputFormat === "json") conversation.addToSystem(jsonInstruction(settings.outputSchema));
  if (settings.autoIterate) conversation.addToSystem(roundsInstruction);
  return {
    run,
    deadline,
    progress,
    conversation,
    offered: canCall ? table.definitions : [],
    callModel: createModelCaller({ run, deadline, progress }),
    callTools: createToolCaller({ run, deadline, progress }, table),
  };
}

/** The user's message of this turn, with its images and files where the model can read them. */
function questionOf(run: AgentRun): UserMessage {
  const { settings, images = [], files = [], model } = run;
  const seen = model.value.capabilities.vision ? images : [];
  return questionWith(settings.userMessage, [...seen, ...files.filter((file) => canRead(run, file))]);
}

function canRead({ model }: AgentRun, { url }: FilePart): boolean {
  const kind = fileData(url)?.kind;
  return kind !== undefined && model.value.capabilities.files?.includes(kind) === true;
}

async function plan(loop: AgentLoop): Promise<void> {
  const { run, conversation, progress, offered } = loop;
  const messages = [...conversation.messages(), userMessage(planQuestion(offered))];
  const { text } = await askModel(loop, "plan", { messages, tools: [], toolChoice: "none" });
  if (text.trim() === "") {
    run.emit({
      type: "warning",
      nodeId: run.nodeId,
      message: "The model gave an empty plan, so the agent works without one.",
      hint: "Raise its maximum tokens, choose another model, or turn planning off.",
    });
    return;
  }
  progress.plan = text;
  run.emit({ type: "plan", nodeId: run.nodeId, text });
  conversation.addToSystem(planSection(text));
}

function askForSummary(loop: AgentLoop): AskForSummary {
  return async (messages) => (await askModel(loop, "summary", { messages, tools: [], toolChoice: "none" })).text;
}

async function runRounds(loop: AgentLoop): Promise<RoundResult> {
  const { run, progress } = loop;
  const rounds = createRounds(run.settings, progress, run.nodeId);
  for (;;) {
    const result = await runRound(loop, rounds);
    if (result) return result;
    progress.round += 1;
  }
}

/** Saves what an execution has so far, once there is a conversation; used when it fails. */
interface Keeper {
  keep?: (finish: EarlyFinish) => Promise<void>;
}

async function execute(run: AgentRun, deadline: Deadline, progress: Progress, keeper: Keeper): Promise<AgentOutcome> {
  const { settings, nodeId, host } = run;
  deadline.signal.throwIfAborted();
  if (settings.userMessage.trim() === "")
    throw new RunError({
      code: "invalid_config",
      message: "The user message is empty, so there is nothing to ask the model.",
      hint: "Fill in the user message, or send a message to the trigger.",
      nodeId,
    });
  const memory = createAgentMemory(run, deadline);
  const session = memory.session ?? "";
  const asked: MemoryTurn = {
    question: settings.userMessage,
    addEmbedding(use) {
      if (!run.memory) return;
      countUsage(progress, use.usage, use.costUsd);
      run.addUsage?.(use.usage, use.costUsd);
      run.emit({ type: "embedding", nodeId: run.memory.nodeId, ...use });
    },
  };
  const padSession = scratchpadSession(session);
  const [history, notes] = await Promise.all([
    memory.load(session, asked),
    settings.scratchpad ? memory.load(padSession) : [],
  ]);
  const pad = settings.scratchpad ? openScratchpad(notes) : undefined;
  const asking = run.untrusted ?? noTaint;
  progress.untrusted = joinTaint(asking, taintOfMessages([...history, ...notes]));
  const context = await readContext({ run, deadline, progress });
  const before = progress.untrusted.length > 0;

  const loop = openLoop(run, deadline, progress, { history, context }, pad);
  /** Writes the turn with `text` as its answer; false when that failed. */
  async function remember(store: AgentMemory, text: string, incomplete?: EarlyFinish): Promise<boolean> {
    const { question, turn } = loop.conversation;
    const after = progress.untrusted.length > 0;
    const marked: UserMessage = asking.length > 0 ? { ...question, untrusted: true } : question;
    const marks = { before, after, incomplete };
    const saved = await store.save(
      session,
      turnToRemember(settings.rememberToolCalls, marked, turn, text, marks),
      asked,
    );
    const note = pad?.changes();
    if (note) await store.save(padSession, [after ? { ...note, untrusted: true } : note]);
    return saved;
  }
  keeper.keep = async (finish) => {
    const text = progress.cutText || progress.continued || progress.lastText;
    if (text === "" && progress.toolCalls.length === 0) return;
    const ownTime = startDeadline(host, run.signal, keepTimeoutMs, "Saving what there is");
    await remember(createAgentMemory(run, ownTime), text, finish).finally(() => ownTime.stop());
  };

  if (settings.planning) await plan(loop);
  const result = await runRounds(loop);
  const { value, text } =
    settings.outputFormat === "json" ? await jsonAnswer(loop, result) : { value: result.text, text: result.text };

  const { ending } = result;
  delete keeper.keep;
  const saved = await remember(memory, text, ending?.finish);
  if (saved) await memory.compact(session, askForSummary(loop));
  const finish = ending?.finish ?? "completed";
  const said = loop.conversation.turn.findLast((message) => message.role === "assistant");
  const output = outputOf(settings, progress, value, finish, host.now(), said);
  return { ok: true, finish, ending, output, untrusted: progress.untrusted };
}

/** Time for saving a turn after the agent's own time limit, in milliseconds. */
const keepTimeoutMs = 10_000;

function failureData(error: unknown, nodeId: string): RunErrorData {
  if (error instanceof RunError) return { nodeId, ...error.data };
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The agent failed in an unexpected way: ${cause}`;
  return {
    code: "internal",
    message,
    hint: "Run it again. If it keeps happening, report it.",
    retryable: false,
    nodeId,
    cause,
  };
}

function failureFinish({ code }: RunErrorData, { signal }: Deadline): EarlyFinish {
  if (code === "cancelled") return "cancelled";
  if (signal.aborted) return "timeout";
  return code === "content_filter" ? "refused" : "error";
}

/**
 * Runs the agent once: history, plan, rounds of iterations, output, memory. Failures of models and tools are handled
 * inside; what cannot be handled is the error of the outcome. Never rejects.
 */
export async function runAgent(run: AgentRun): Promise<AgentOutcome> {
  const progress = newProgress(run.host.now());
  const deadline = startDeadline(run.host, run.signal, run.settings.timeoutMs, "The agent");
  const keeper: Keeper = {};
  try {
    return await execute(run, deadline, progress, keeper);
  } catch (caught) {
    const error = failureData(caught, run.nodeId);
    const finish = failureFinish(error, deadline);
    // After Stop nothing is written any more.
    if (finish !== "cancelled" && !run.signal.aborted) await keeper.keep?.(finish).catch(() => undefined);
    const metadata = metadataOf(progress, finish, run.host.now());
    return { ok: false, finish, error, metadata, untrusted: progress.untrusted };
  } finally {
    deadline.stop();
  }
}
