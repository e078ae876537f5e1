import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { formTimeMs } from "../src/engine/tool/tool.ts";
import { LiveTexts, type LiveNews } from "../src/doors/live-news.ts";
import { type ApprovalDecision, type ApprovalRequest, nobodyApproves, type WaitRequest } from "../src/engine/host.ts";
import { isJsonObject } from "../src/engine/json.ts";
import type { RunErrorData } from "../src/engine/errors.ts";
import type { EventOf, RunEvent } from "../src/engine/run/events.ts";
import { OpenWrites } from "../src/engine/run/replay/open-writes.ts";
import { EventMask } from "../src/engine/run/privacy/event-mask.ts";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { trustOfInput } from "../src/engine/trust/run-sources.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { RunLife } from "./run-life.ts";
import { endOf, howToStart } from "./run-start.ts";
import { type ClaimedRun, leaseMs, type RunQueue, type WaitDecision } from "./run-queue.ts";
import { RunRecorder } from "./run-recorder.ts";
import { createServerHost, type StudioAccess } from "./server-host.ts";
import { RunSpending, unknownPricesError } from "./run-spending.ts";
import { loaderOf, unknownPricesIn } from "./version-documents.ts";

interface ServerRunOptions {
  queue: RunQueue;
  access: StudioAccess;
  /** Who runs it, for the reader of its log. */
  worker: string;
  /** When the claim was asked for, in milliseconds since 1970: the lease began then or later. */
  claimedAt: number;
  log(line: string): void;
  /** Hears each event as it happens, masked as it is stored. */
  onEvent(event: RunEvent): void;
  /** Hears what the run says, masked as it is stored, and when something was stored. */
  onNews(news: LiveNews): void;
}

/** For how long a person may take to answer. */
const approvalMs = 7 * 24 * 3_600_000;

/** A wait that is shorter keeps its place on the worker. */
const shortWaitMs = 10_000;

/** Milliseconds for a run that was cancelled while it waited to come back to where it was. */
const catchUpMs = 3_000;

/** A run that only waits is put aside after this long. */
const idleMs = 1_000;

/** The log is stored at least this often while something happens. */
const flushMs = 500;

/** Characters of a call's name in the database. */
const longestCallId = 300;
/** Characters of a schema that a question carries for its form; the run checks the arguments by any. */
const longestSchema = 50_000;

const never = new Promise<never>(() => {});

/** One attempt of a run on this worker: from the claim to its end, or until it is given back or lost. */
export class ServerRun {
  readonly id: string;
  readonly attempt: number;
  readonly owner: string;
  /** Resolves when the worker has nothing to do with the run any more. Never rejects. */
  readonly done: Promise<void>;

  private readonly claim: ClaimedRun;
  private readonly options: ServerRunOptions;
  private readonly life: RunLife;
  private readonly controller = new AbortController();
  private readonly waits = new Map<string, (decision: WaitDecision) => void>();
  private readonly timers: NodeJS.Timeout[] = [];
  private decisions: ReadonlyMap<string, WaitDecision> = new Map();
  private recorder: RunRecorder | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly openWrites = new OpenWrites();
  private endOfTurn: NodeJS.Immediate | undefined;
  private stopError: RunErrorData | undefined;
  private stopping = false;
  private hasEnded = false;
  private hasCheckpointed = false;
  private isCatchingUp = false;
  private mayPutAside = true;
  private leave: () => void = () => {};
  private readonly left = new Promise<void>((resolve) => (this.leave = resolve));

  constructor(claim: ClaimedRun, options: ServerRunOptions) {
    this.claim = claim;
    this.options = options;
    this.id = claim.id;
    this.attempt = claim.attempt;
    this.owner = claim.owner;
    this.isCatchingUp = claim.cancelled;
    this.life = new RunLife({ heldUntil: options.claimedAt + leaseMs, renew: () => this.renew() });
    this.life.onChange(() => this.look());
    this.done = Promise.race([this.perform(), this.left])
      .catch((error: unknown) => options.log(`The run ${this.id} was given up: ${String(error)}`))
      .finally(() => this.drop());
  }

  /** Ends the run: somebody asked for that. */
  cancel(): void {
    if (!this.isCatchingUp) this.controller.abort();
  }

  /** The lease was renewed by a request of that time, in milliseconds since 1970. */
  renewed(askedAt: number): void {
    this.life.holdUntil(askedAt + leaseMs);
  }

  /** Another attempt has the run. Nothing of this one is written any more. */
  fence(): void {
    this.drop();
  }

  decide(callId: string, decision: WaitDecision): void {
    const tell = this.waits.get(callId);
    this.waits.delete(callId);
    tell?.(decision);
  }

  /** Gives the run back to the queue at its next checkpoint, or after `graceMs` in the middle of a call. */
  async release(graceMs: number): Promise<void> {
    this.stopping = true;
    this.timers.push(setTimeout(() => void this.giveBack("queued"), graceMs));
    this.look();
    await this.done;
  }

  private async renew(): Promise<void> {
    const askedAt = Date.now();
    const { state } = await this.options.queue.append(this, "[]", null);
    if (state === "fenced") return this.drop();
    if (state === "cancelled") this.cancel();
    this.renewed(askedAt);
  }

  private async perform(): Promise<void> {
    const { claim, life } = this;
    const { queue } = this.options;
    const start = await howToStart(claim, queue);
    if (life.isOver) return;
    if (!start.ok) {
      await queue.finish(this, "[]", endOf(start.error));
      return;
    }
    const { document, before } = start;
    this.decisions = start.answers;
    // A run goes on with the prices that are known already.
    await queue.takePrices().catch(() => this.options.log("The accepted prices of models could not be read."));
    if (life.isOver) return;
    const unknown = unknownPricesIn(document, claim.workflows);
    const rule = unknown.length > 0 ? await queue.checkUnknownPrices(this, unknown) : undefined;
    if (life.isOver) return;
    if (rule?.limited && !rule.allowed) {
      await queue.finish(this, "[]", endOf(unknownPricesError(unknown)));
      return;
    }
    const spending = new RunSpending({
      queue,
      run: this,
      before,
      onRefused: (error) => this.stopWith(error),
      onFenced: () => this.drop(),
    });
    const isMasked = (document.privacy?.mask.length ?? 0) + (document.privacy?.patterns.length ?? 0) > 0;
    // What is masked in the log is known only here: such a run keeps its place while it waits.
    this.mayPutAside = !isMasked;
    const live = new LiveTexts();
    const recorder = new RunRecorder({
      queue,
      run: this,
      before,
      spending,
      mask: isMasked && document.privacy ? new EventMask(document.privacy) : undefined,
      onReady: (event) => {
        this.options.onEvent(event);
        const text = event.replayed ? null : live.take(event);
        if (text !== null) this.options.onNews(text);
      },
      onStored: () => this.options.onNews({ kind: "stored" }),
      onFenced: () => this.drop(),
      onCancelled: () => this.cancel(),
      onFull: () => this.stopWith(full),
    });
    this.recorder = recorder;
    if (claim.cancelled) this.cancelSoon(before.length > 0);
    this.watchTime();
    const events = runWorkflow(document, {
      registry: nodeRegistry,
      host: createServerHost({
        access: this.options.access,
        owner: this.owner,
        life,
        workflows: loaderOf(document, claim.workflows),
        approve: (request, signal) => this.approve(request, signal),
        wait: (request, signal) => this.wait(request, signal),
        checkpoint: (begin) => this.checkpoint(begin),
        spending,
        allowsUnknownPrices: rule?.allowed === true,
      }),
      input: claim.input,
      files: claim.files,
      ...trustOfInput(claim.source, claim.callers),
      runId: claim.id,
      signal: this.controller.signal,
      ignorePins: true,
      scratch: false,
      ...(before.length > 0
        ? { resume: { events: before, attempt: claim.attempt, worker: this.options.worker } }
        : start.replay
          ? { replay: start.replay }
          : {}),
    });
    const end = await this.record(events, recorder);
    if (end === undefined || life.isOver) return;
    await recorder.finish(this.asEnded(end));
  }

  private async record(
    events: AsyncIterable<RunEvent>,
    recorder: RunRecorder,
  ): Promise<EventOf<"run-end"> | undefined> {
    const replays = this.claim.forkedFrom !== undefined && this.attempt === 1;
    this.timers.push(
      setInterval(() => {
        // A recording is served in one go and stored as a whole: a part of it could not be gone on with.
        if (recorder.isBehind && (!replays || this.hasCheckpointed)) recorder.flush().catch(() => undefined);
      }, flushMs),
    );
    for await (const event of events) {
      if (this.life.isOver) return undefined;
      if (event.type === "run-end") {
        this.hasEnded = true;
        return event;
      }
      recorder.push(event);
      if (event.replayed) continue;
      this.openWrites.add(event);
      if (this.stopping) this.look();
    }
    return undefined;
  }

  /** A run that this worker stopped did not end as somebody asked: it failed. */
  private asEnded(end: EventOf<"run-end">): EventOf<"run-end"> {
    if (this.stopError === undefined || end.outcome === "completed") return end;
    return { ...end, outcome: "failed", error: this.stopError };
  }

  private stopWith(error: RunErrorData): void {
    // One that is being cancelled ends so, whatever else keeps it from going on.
    if (!this.controller.signal.aborted) this.stopError = error;
    this.controller.abort();
  }

  /** A run that has begun first comes back to where it was, so that its conversation keeps what was said until then. */
  private cancelSoon(hasBegun: boolean): void {
    this.isCatchingUp = hasBegun;
    if (hasBegun) this.timers.push(setTimeout(() => this.cancelSoon(false), catchUpMs));
    else this.cancel();
  }

  private watchTime(): void {
    const { timeoutSeconds } = this.claim.limits;
    if (timeoutSeconds === undefined) return;
    const error: RunErrorData = {
      code: "timeout",
      message: `The run took longer than ${timeoutSeconds} seconds and was stopped.`,
      hint: "Raise the time limit in the workflow's publishing settings, or let the workflow do less.",
      retryable: true,
    };
    this.timers.push(setTimeout(() => this.stopWith(error), Math.min(timeoutSeconds * 1_000, 2 ** 31 - 1)));
  }

  private async checkpoint(begin?: () => void): Promise<void> {
    if (this.life.isOver) return never;
    if (this.claim.cancelled) this.cancelSoon(false);
    // What the log says has begun is done, also where the worker is told to stop meanwhile.
    const begins = begin !== undefined && !this.stopping && !this.controller.signal.aborted;
    const stored = begins ? this.life.announce() : undefined;
    if (begins) begin();
    // The events so far are on their way to the recorder: they arrive before this turn of the loop is over.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.hasCheckpointed = true;
    try {
      await this.recorder?.flush();
    } catch (error) {
      this.stopWith(notStored(error));
    }
    stored?.();
    if (this.life.isOver) return never;
    if (!this.stopping || begins) return;
    this.look();
    return never;
  }

  private async approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    // An MCP client waits for an answer now, not for an inbox.
    if (this.claim.source === "mcp") return nobodyApproves(request, signal);
    const { previewOf: _, parameters, ...rest } = request;
    const callId = storedId(request.callId);
    // A form brings its schema itself.
    const isShort = request.form === undefined && JSON.stringify(parameters).length <= longestSchema;
    const question = { ...rest, ...(isShort ? { parameters } : {}) };
    const known = this.decisions.get(callId);
    if (known) return asDecision(known, request);
    const kind = request.form ? ("form" as const) : ("approval" as const);
    const isOfServer = request.form !== undefined && request.form.confirms !== true;
    const until = new Date(Date.now() + (isOfServer ? formTimeMs : approvalMs));
    const asked = { callId, kind, question: { ...question, callId }, until };
    return asDecision(await this.decisionOf(asked, signal), request);
  }

  /** The queue keeps the time of a long wait, so the run can leave the worker meanwhile. */
  private async wait({ waitId, nodeId, until }: WaitRequest, signal: AbortSignal): Promise<void> {
    const callId = storedId(waitId);
    if (this.decisions.has(callId)) return;
    const left = until - Date.now();
    if (left <= shortWaitMs) await this.life.during(() => sleep(Math.max(0, left), undefined, { signal }));
    else await this.decisionOf({ callId, kind: "time", question: { nodeId }, until: new Date(until) }, signal);
  }

  /** Asks through the queue; asking again in a later attempt changes nothing. Never resolves once the run has left the worker. */
  private async decisionOf(asked: Parameters<RunQueue["ask"]>[1], signal: AbortSignal): Promise<WaitDecision> {
    await this.checkpoint();
    const { callId } = asked;
    const decision = new Promise<WaitDecision>((resolve, reject) => {
      this.waits.set(callId, resolve);
      const stop = () => {
        this.waits.delete(callId);
        if (!this.life.isOver) reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
    });
    decision.catch(() => undefined);
    const state = await this.life.during(() => this.options.queue.ask(this, asked));
    if (state === "fenced") this.drop();
    if (this.life.isOver) return never;
    this.look();
    return decision;
  }

  /** Gives the run back once nothing of it is under way but waiting. */
  private look(): void {
    clearTimeout(this.idleTimer);
    clearImmediate(this.endOfTurn);
    if (this.life.isOver || this.life.underWay > 0) return;
    // How a call went that has just ended comes to the recorder before this turn of the loop is over.
    if (this.stopping) this.endOfTurn = setImmediate(() => this.giveBackBetweenCalls());
    else if (this.waits.size > 0 && this.mayPutAside) {
      this.idleTimer = setTimeout(() => {
        if (this.life.underWay === 0 && this.waits.size > 0) void this.giveBack("waiting");
      }, idleMs);
    }
  }

  private giveBackBetweenCalls(): void {
    if (this.life.underWay === 0 && this.openWrites.size === 0) void this.giveBack("queued");
  }

  private async giveBack(status: "waiting" | "queued"): Promise<void> {
    // One that has ended is not given back: its end is being stored.
    if (this.life.isOver || this.hasEnded) return;
    this.life.end();
    try {
      await this.recorder?.release(status);
    } catch (error) {
      this.options.log(`The run ${this.id} could not be given back: ${String(error)}`);
    }
    this.drop();
  }

  private drop(): void {
    this.life.end();
    this.recorder?.close();
    clearTimeout(this.idleTimer);
    clearImmediate(this.endOfTurn);
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.controller.abort();
    this.waits.clear();
    this.leave();
  }
}

/** A name that is short enough to be stored. */
function storedId(id: string): string {
  return id.length <= longestCallId ? id : createHash("sha256").update(id).digest("hex");
}

function asDecision(decision: WaitDecision, request: ApprovalRequest): ApprovalDecision {
  if (decision["approved"] === true) {
    const { input } = decision;
    return { approved: true, input: isJsonObject(input) ? input : request.input };
  }
  return { approved: false, reason: typeof decision["reason"] === "string" ? decision["reason"] : "" };
}

const full: RunErrorData = {
  code: "internal",
  message: "The account has no room for more events, so the run was stopped.",
  hint: "Delete old runs, or keep runs for a shorter time. Then start the run again.",
  retryable: true,
};

function notStored(error: unknown): RunErrorData {
  return {
    code: "internal",
    message: "What the run has done could not be stored, so it was stopped.",
    hint: "Start it again. If it happens again, report it with the run's log.",
    retryable: true,
    cause: error instanceof Error ? error.message : String(error),
  };
}
