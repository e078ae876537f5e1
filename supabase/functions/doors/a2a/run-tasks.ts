import {
  type AgentCard,
  type Part,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
  type TaskStatus,
} from "@a2a-js/sdk";
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { DoorCall } from "../../_shared/door.ts";
import { DoorProblem } from "../../_shared/door-problem.ts";
import { doorBase } from "../../_shared/door-base.ts";
import { cancelRun, type DoorRun, findRun, isUnderWay } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { answeredFiles, type AnsweredFile } from "../../_shared/files/answered-files.ts";
import type { InputWithFiles } from "../../_shared/files/attached.ts";
import { type AnswerNews, followAnswer, textOf } from "../../_shared/follow-answer.ts";
import { startWithFiles } from "../../_shared/start-with-files.ts";
import type { ApiKey } from "../run/api-key.ts";
import type { RunnableVersion } from "../run/publication.ts";
import { sessionOf } from "../run/sessions.ts";
import { partsOf } from "./sent-parts.ts";
import { errorText } from "../../../../src/engine/errors.ts";

/** How long one request waits for the end of a run. */
const longestWaitMs = 100_000;
const mostContextChars = 150;
const artifactName = "answer";

/** Tasks of the A2A protocol on runs: a task is a run, its context a conversation within the key. Nothing is kept here. */
export class RunTasks implements A2ARequestHandler {
  /** Why no run was started, where that was a limit or the database. */
  problem: DoorProblem | undefined;
  private readonly card: AgentCard;
  private readonly runnable: RunnableVersion;
  private readonly key: ApiKey;
  private readonly context: FunctionContext;
  private readonly call: Pick<DoorCall, "request" | "share" | "takeStream">;

  constructor(
    card: AgentCard,
    runnable: RunnableVersion,
    key: ApiKey,
    context: FunctionContext,
    /** Its request aborts when the client goes away. The run goes on. */
    call: Pick<DoorCall, "request" | "share" | "takeStream">,
  ) {
    this.card = card;
    this.runnable = runnable;
    this.key = key;
    this.context = context;
    this.call = call;
  }

  getAgentCard = async (): Promise<AgentCard> => this.card;

  async sendMessage(params: SendMessageRequest): Promise<Task> {
    const { id, contextId } = await this.start(params);
    if (params.configuration?.returnImmediately !== true) {
      const signal = AbortSignal.any([this.call.request.signal, AbortSignal.timeout(longestWaitMs)]);
      for await (const news of this.follow(id, signal))
        if (news.kind === "end") return this.taskOf(news.run, contextId);
    }
    return this.taskNow(id);
  }

  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const { id, contextId } = await this.start(params);
    yield* this.told(id, contextId, TaskState.TASK_STATE_SUBMITTED);
  }

  async *resubscribe({ id }: { id: string }): AsyncGenerator<StreamResponse, void, undefined> {
    this.call.share.giveBack();
    const run = await this.own(id);
    if (!isUnderWay(run.status)) throw new UnsupportedOperationError({ message: "The task has ended." });
    yield* this.told(id, contextOf(run, this.key), stateOf(run.status));
  }

  getTask = ({ id }: { id: string }): Promise<Task> => this.taskNow(id);

  async cancelTask({ id }: { id: string }): Promise<Task> {
    const run = await this.own(id);
    if (!isUnderWay(run.status)) throw new TaskNotCancelableError({ message: "The task has ended." });
    await cancelRun(this.context.supabase, id);
    const signal = AbortSignal.any([this.call.request.signal, AbortSignal.timeout(10_000)]);
    for await (const news of this.follow(id, signal)) if (news.kind === "end") break;
    return this.taskNow(id);
  }

  listTasks = (): Promise<never> => unsupported();
  getAuthenticatedExtendedAgentCard = (): Promise<never> => unsupported();
  createTaskPushNotificationConfig = (): Promise<never> => noPush();
  getTaskPushNotificationConfig = (): Promise<never> => noPush();
  listTaskPushNotificationConfigs = (): Promise<never> => noPush();
  deleteTaskPushNotificationConfig = (): Promise<never> => noPush();

  private async start({ message }: SendMessageRequest): Promise<{ id: string; contextId: string }> {
    const { text, files } = partsOf(message, this.runnable.interface);
    if (message?.taskId) throw new UnsupportedOperationError({ message: "Send a new message in the same context." });
    const contextId = message?.contextId || crypto.randomUUID();
    if (contextId.length > mostContextChars) {
      throw new RequestMalformedError({ message: `A contextId has at most ${mostContextChars} characters.` });
    }
    const session = await sessionOf(this.key, `a2a ${contextId}`);
    try {
      const said = { message: text, sessionId: session };
      const input: InputWithFiles = {
        files,
        with: (stored) => (files.length === 0 ? said : { ...said, files: [...stored] }),
      };
      const start = {
        publication: this.runnable.door,
        target: String(this.runnable.version),
        source: "api",
        keyId: this.key.id,
        subject: session,
        sender: { kind: "key", name: this.key.id },
      } as const;
      const { id } = await startWithFiles(this.context, input, start, this.call.request.signal);
      this.call.share.giveBack();
      return { id, contextId };
    } catch (error) {
      if (error instanceof DoorProblem) this.problem = error;
      throw error;
    }
  }

  /** Keeps the problem for the answer's status: the protocol's errors have no room for it. */
  private noting(task: () => void): void {
    try {
      task();
    } catch (error) {
      if (error instanceof DoorProblem) this.problem = error;
      throw error;
    }
  }

  private follow = (id: string, signal: AbortSignal): AsyncGenerator<AnswerNews> =>
    followAnswer(this.context.supabase, id, this.runnable.interface.answering, signal);

  private async *told(
    id: string,
    contextId: string,
    state: TaskState,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const status = statusOf(state);
    this.noting(() => this.call.takeStream({ run: id }));
    yield { payload: { $case: "task", value: { ...bareTask(id, contextId), status } } };
    let isWriting = false;
    for await (const news of this.follow(id, this.call.request.signal)) {
      if (news.kind === "status" && news.status === "running")
        yield update(id, contextId, statusOf(stateOf("running")));
      if (news.kind === "text") {
        const artifact = artifactOf(news.text);
        const value = { taskId: id, contextId, artifact, append: isWriting, lastChunk: false, metadata: undefined };
        yield { payload: { $case: "artifactUpdate", value } };
        isWriting = true;
      }
      if (news.kind === "end") {
        const files = await this.filesOf(news.run);
        if (files.length > 0) {
          const artifact = filesArtifact(files);
          const value = { taskId: id, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
          yield { payload: { $case: "artifactUpdate", value } };
        }
        yield update(id, contextId, endOf(news.run));
      }
    }
  }

  private async taskNow(id: string): Promise<Task> {
    const run = await this.own(id);
    return this.taskOf(run, contextOf(run, this.key));
  }

  private async taskOf(run: DoorRun, contextId: string): Promise<Task> {
    const text = run.status === "completed" ? textOf(run.output ?? null) : "";
    const files = await this.filesOf(run);
    const artifacts = [
      ...(text === "" ? [] : [artifactOf(text)]),
      ...(files.length === 0 ? [] : [filesArtifact(files)]),
    ];
    return { ...bareTask(run.id, contextId), status: endOf(run), artifacts };
  }

  private async filesOf(run: DoorRun): Promise<AnsweredFile[]> {
    if (run.status !== "completed") return [];
    return answeredFiles(run, doorBase(this.call.request, this.context.environment), this.context);
  }

  /** A run that this key has started for this workflow over this protocol. */
  private async own(id: string): Promise<DoorRun> {
    const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    const run = isId ? await findRun(this.context.supabase, id) : null;
    const isOwn = run !== null && run.keyId === this.key.id && run.workflowId === this.runnable.door.workflowId;
    if (!isOwn || contextOf(run, this.key) === "") throw new TaskNotFoundError({ message: "There is no such task." });
    return run;
  }
}

const unsupported = (): Promise<never> => Promise.reject(new UnsupportedOperationError());
const noPush = (): Promise<never> => Promise.reject(new PushNotificationNotSupportedError());

function contextOf({ subject }: DoorRun, { id }: ApiKey): string {
  const prefix = `api ${id} a2a `;
  return subject?.startsWith(prefix) === true ? subject.slice(prefix.length) : "";
}

function stateOf(status: DoorRun["status"]): TaskState {
  switch (status) {
    case "queued":
      return TaskState.TASK_STATE_SUBMITTED;
    case "running":
    case "waiting":
      return TaskState.TASK_STATE_WORKING;
    case "completed":
      return TaskState.TASK_STATE_COMPLETED;
    case "cancelled":
      return TaskState.TASK_STATE_CANCELED;
    case "failed":
    case "interrupted":
      return TaskState.TASK_STATE_FAILED;
  }
}

const statusOf = (state: TaskState): TaskStatus => ({ state, message: undefined, timestamp: new Date().toISOString() });

/** How a run ended; a failure is said in words. */
function endOf({ id, status, error }: DoorRun): TaskStatus {
  const end = statusOf(stateOf(status));
  if (!error || status === "completed") return end;
  const parts = [textPart(errorText(error))];
  return { ...end, message: { ...bareMessage, messageId: `${id} end`, taskId: id, role: Role.ROLE_AGENT, parts } };
}

function update(taskId: string, contextId: string, status: TaskStatus): StreamResponse {
  return { payload: { $case: "statusUpdate", value: { taskId, contextId, status, metadata: undefined } } };
}

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});

const artifactOf = (text: string) => ({
  artifactId: artifactName,
  name: "Answer",
  description: "",
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
});

/** The files of the answer, as links that last for an hour. */
const filesArtifact = (files: readonly AnsweredFile[]) => ({
  artifactId: "files",
  name: "Files",
  description: "",
  parts: files.map(({ file, url }): Part => ({
    content: { $case: "url", value: url },
    metadata: undefined,
    filename: file.name,
    mediaType: file.mediaType,
  })),
  metadata: undefined,
  extensions: [],
});

const bareMessage = { contextId: "", metadata: undefined, extensions: [], referenceTaskIds: [] };

const bareTask = (id: string, contextId: string): Task => ({
  id,
  contextId,
  status: undefined,
  artifacts: [],
  history: [],
  metadata: undefined,
});
