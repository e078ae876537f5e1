import { createStore } from "zustand/vanilla";
import type {
  AnswerStatus,
  ChatEvent,
  ChatFile,
  ChatPageInfo,
  ChatThread,
  ChatTurn,
  OpenSession,
  Rating,
  SentFile,
} from "../doors/chat-api.ts";
import { type ChatClient, ChatProblem } from "./chat-client.ts";

/** What a visitor sees: one page at a time. */
export type Phase =
  | { kind: "loading" }
  | { kind: "broken"; problem: string }
  /** Nobody can write for now. */
  | { kind: "closed"; words: string }
  | { kind: "locked"; problem: string | null }
  | { kind: "ready" };

export interface PageStep {
  name: string;
  state: "running" | "done" | "failed" | "rejected";
}

/** A question and its answer. */
export interface PageTurn {
  key: string;
  /** Null until the server has taken the message. */
  runId: string | null;
  text: string;
  images: readonly string[];
  /** Files that came with it. */
  sent: readonly ChatFile[];
  answer: string;
  sources?: ChatTurn["sources"];
  pictures?: ChatTurn["pictures"];
  files?: ChatTurn["files"];
  steps: readonly PageStep[];
  /** A person has to answer something before the answer goes on. */
  waits?: boolean;
  status: AnswerStatus;
  /** Why there is no whole answer, in words. */
  problem: string | null;
  rating: Rating | null;
  comment: string;
}

/** What is known of a question from the start. */
type Asked = Pick<PageTurn, "key" | "text" | "sent">;

export interface PageState {
  phase: Phase;
  info: ChatPageInfo | null;
  threads: readonly ChatThread[];
  /** Null in a conversation that has not begun. */
  threadId: string | null;
  turns: readonly PageTurn[];
  /** What went wrong last, outside an answer. */
  problem: string | null;
  /** What is in the composer at first. */
  draft: string;
}

/** What the page has from outside; it has no storage of its own: see `page-surroundings.ts`. */
export interface Surroundings {
  /** What the server gave this browser to keep for the page, by which it finds its visitor again. */
  browser: string | null;
  /** What the server wrote into the page, for one session that it opens within ten minutes; null on a static host. */
  page: string | null;
  /** The conversation that was open before the page was loaded. An id opens nothing without the session. */
  threadId: string | null;
  /** What was typed before `reload`; null where the page was not loaded for that. */
  draft: string | null;
  showThread(threadId: string | null): void;
  /** Loads the page anew, since it was served too long ago, and keeps what was typed. */
  reload(draft: string): void;
  /** What an embedding site vouches for, where the page asks for it. */
  identity(sites: readonly string[]): Promise<string | null>;
}

const mostReconnects = 3;

export type ChatSession = ReturnType<typeof createChatSession>;

/** A visitor's session: what is on the page, and everything that changes it. `makeClient` gets the way to the current token. */
export function createChatSession(
  makeClient: (token: () => string | null) => ChatClient,
  surroundings: Surroundings,
  newKey: () => string = () => crypto.randomUUID(),
) {
  const { browser, page } = surroundings;
  /** Once only: a page that is refused when it was loaded just now would be loaded again for ever. */
  let mayReload = surroundings.draft === null;
  let keptThread = surroundings.threadId;
  let token: string | null = null;
  const client = makeClient(() => token);
  const store = createStore<PageState>(() => ({
    phase: { kind: "loading" },
    info: null,
    threads: [],
    threadId: null,
    turns: [],
    problem: surroundings.draft ? "Your message is not sent yet. Check it, then send it." : null,
    draft: surroundings.draft ?? "",
  }));
  if (surroundings.draft !== null) surroundings.showThread(null);
  const { getState, setState } = store;
  let opening: Promise<string> | null = null;
  let reading: AbortController | null = null;
  /** Questions whose answers are to be stopped as soon as the server has taken them. */
  const stopWanted = new Set<string>();
  let lastRating: Promise<void> = Promise.resolve();

  const keep = () => surroundings.showThread(getState().threadId);
  const changeTurn = (key: string, change: Partial<PageTurn> | ((turn: PageTurn) => Partial<PageTurn>)) =>
    setState(({ turns }) => ({
      turns: turns.map((turn) =>
        turn.key === key ? { ...turn, ...(typeof change === "function" ? change(turn) : change) } : turn,
      ),
    }));

  async function start(): Promise<void> {
    setState({ phase: { kind: "loading" } });
    try {
      const info = await client.page();
      setState({ info });
      if (token === null && browser !== null) token = await client.resume(browser);
      if (token === null) await enterUnasked(info);
      else await ready();
    } catch (error) {
      fail(error);
    }
  }

  /** Lets in who need not be asked: a visitor of a public page, or one whom the embedding site vouches for. */
  async function enterUnasked(info: ChatPageInfo, why: string | null = null): Promise<void> {
    if (info.access === "public") return ready();
    const identity = info.access === "signed" ? await surroundings.identity(info.sites) : null;
    if (identity === null) {
      // What was entered is not kept.
      const problem = surroundings.draft === "" && !mayReload ? "The page was reloaded. Try again." : why;
      return setState({ phase: { kind: "locked", problem } });
    }
    await enter({ identity });
  }

  async function enter(proof: OpenSession): Promise<void> {
    try {
      token = await openSession(proof);
      await ready();
    } catch (error) {
      const code = codeOf(error);
      if (reloads(error, "")) return;
      if (code === "wrong_password" || code === "wrong_identity" || code === "page_expired" || code === "rate_limit")
        setState({ phase: { kind: "locked", problem: wordsOf(error) } });
      else fail(error);
    }
  }

  async function openSession(proof: OpenSession): Promise<string> {
    const work = getState().info?.asksForWork ? await client.work() : undefined;
    const opened = await client.openSession({
      ...proof,
      ...(browser !== null && { browser }),
      ...(page !== null && { page }),
      ...(work && { work }),
    });
    mayReload = true;
    return opened;
  }

  /** Loads the page anew where the server takes it no longer, and says whether it does. */
  function reloads(error: unknown, draft: string): boolean {
    if (codeOf(error) !== "page_expired" || !mayReload) return false;
    mayReload = false;
    surroundings.reload(draft);
    return true;
  }

  /** Ends the session on this browser, for who shares it. */
  async function leave(): Promise<void> {
    try {
      await client.leave();
      await forget();
    } catch (error) {
      setState({ problem: wordsOf(error) });
    }
  }

  async function ready(): Promise<void> {
    if (token !== null) {
      try {
        setState({ threads: await client.threads() });
      } catch (error) {
        if (codeOf(error) !== "unknown_session") throw error;
        return forget();
      }
    }
    setState({ phase: { kind: "ready" } });
    const wanted = keptThread;
    keptThread = null;
    if (wanted !== null && getState().threads.some(({ id }) => id === wanted)) await open(wanted);
  }

  /** The session is over; what it held stays with the server, out of reach. */
  async function forget(): Promise<void> {
    leaveThread([]);
    const { info } = getState();
    if (info !== null) await enterUnasked(info);
  }

  function leaveThread(turns: readonly PageTurn[]): void {
    token = null;
    setState({ threads: [], threadId: null, turns });
    keep();
  }

  /** Enters anew after the session ended: the owner may have changed who is let in since the page was loaded. */
  async function enterAgain(): Promise<void> {
    const known = getState().info;
    const info = await client.page().catch(() => known);
    if (info === null) return;
    setState({ info });
    await enterUnasked(info, entryWords[info.access]);
  }

  function fail(error: unknown): void {
    const code = codeOf(error);
    if (code === "closed") setState({ phase: { kind: "closed", words: wordsOf(error) } });
    else if (code === "unknown_session") void forget();
    else setState({ phase: { kind: "broken", problem: wordsOf(error) } });
  }

  /** Opens a conversation, or a new one. An answer that is on its way goes on, and is read again when its conversation is. */
  async function open(threadId: string | null): Promise<void> {
    // A message that the server has not taken yet is not called back: `take` lists its conversation.
    if (getState().turns.at(-1)?.runId !== null) reading?.abort();
    reading = null;
    setState({ threadId, turns: [], problem: null });
    keep();
    if (threadId === null) return;
    try {
      const past = await client.thread(threadId);
      if (getState().threadId === threadId) showPast(past);
    } catch (error) {
      if (codeOf(error) === "unknown_session") {
        leaveThread([]);
        await enterAgain();
      } else if (getState().threadId === threadId) setState({ problem: wordsOf(error) });
    }
  }

  /** Puts what was said before above what was asked while it was read. */
  function showPast(past: readonly ChatTurn[]): void {
    const { turns: asked } = getState();
    const before = past.filter(({ runId }) => asked.every((turn) => turn.runId !== runId));
    const turns = before.map((turn) => ({ ...turn, key: turn.runId, steps: [], problem: problemOfPast(turn.status) }));
    setState({ turns: [...turns, ...asked] });
    const last = asked.length === 0 ? turns.at(-1) : undefined;
    if (last?.status === "running") void readOn(last, last.runId, new AbortController());
  }

  async function remove(threadId: string): Promise<void> {
    try {
      await client.deleteThread(threadId);
      setState(({ threads }) => ({ threads: threads.filter(({ id }) => id !== threadId), problem: null }));
      if (getState().threadId === threadId) await open(null);
    } catch (error) {
      setState({ problem: wordsOf(error) });
    }
  }

  /** Returns whether the message was taken; if not it stays where it was typed. */
  function send(text: string, sent: PageTurn["sent"] = []): boolean {
    const { phase, turns } = getState();
    const isEmpty = text.trim() === "" && sent.length === 0;
    if (phase.kind !== "ready" || isEmpty || turns.at(-1)?.status === "running") return false;
    const key = newKey();
    const turn: PageTurn = {
      key,
      runId: null,
      text: text.trim(),
      images: [],
      sent,
      answer: "",
      steps: [],
      status: "running",
      problem: null,
      rating: null,
      comment: "",
    };
    setState({ turns: [...turns, turn], problem: null });
    void ask(turn);
    return true;
  }

  /** Asks once more for an answer that did not come. */
  function retry(key: string): void {
    const turn = getState().turns.find((one) => one.key === key);
    if (turn === undefined || turn.status === "running") return;
    if (turn.runId !== null) {
      // Another run for the same question.
      send(turn.text, turn.sent);
      return;
    }
    changeTurn(key, { status: "running", problem: null });
    void ask(turn);
  }

  async function ask(turn: PageTurn): Promise<void> {
    const control = new AbortController();
    reading = control;
    stopWanted.delete(turn.key);
    const { threadId } = getState();
    let session = token;
    try {
      session = await entered();
      const files = turn.sent.map(({ id }) => id);
      const message = {
        text: turn.text,
        images: [...turn.images],
        files,
        key: turn.key,
        ...(threadId && { threadId }),
      };
      await take(turn, client.send(message, control.signal), control);
    } catch (error) {
      const shown = getState().turns.find(({ key }) => key === turn.key);
      // It was sent by a visitor who has signed out.
      const isOld = shown === undefined && token !== session;
      if (control.signal.aborted || isOld) return;
      // Files are of a session that is over; then the visitor reads what to do.
      if (turn.sent.length === 0 && reloads(error, turn.text)) return;
      const { runId } = shown ?? turn;
      if (runId !== null && codeOf(error) === "unreachable") return readOn(turn, runId, control);
      refuse(turn.key, error);
    }
  }

  /** The token of the session, which is opened where there is none: whoever asks meanwhile is the same visitor. */
  async function entered(): Promise<string> {
    if (token !== null) return token;
    opening ??= openSession({}).finally(() => (opening = null));
    token = await opening;
    return token;
  }

  /** Stores a file for a message. Rejects with a `ChatProblem`, or as the signal was aborted. */
  async function upload(file: File, options: Parameters<ChatClient["upload"]>[1]): Promise<SentFile> {
    await entered();
    return client.upload(file, options);
  }

  /** Reads an answer again from its beginning, after the connection broke off or the page was loaded anew. */
  async function readOn(turn: Asked, runId: string, control: AbortController): Promise<void> {
    const { key } = turn;
    reading = control;
    for (let attempt = 1; ; attempt += 1) {
      try {
        changeTurn(key, { answer: "", steps: [], waits: false });
        return await take(turn, client.follow(runId, control.signal), control);
      } catch (error) {
        if (control.signal.aborted) return;
        if (codeOf(error) !== "unreachable" || attempt >= mostReconnects) return refuse(key, error);
        await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
      }
    }
  }

  async function take(turn: Asked, events: AsyncIterable<ChatEvent>, control: AbortController): Promise<void> {
    const session = token;
    for await (const event of events) {
      if (control.signal.aborted || token !== session) return;
      if (event.type === "start" && stopWanted.delete(turn.key)) stopRun(event.runId);
      if (getState().turns.some(({ key }) => key === turn.key)) apply(turn, event);
      else if (event.type === "start") {
        // Another conversation was opened meanwhile; this one is read when it is opened.
        list(event.threadId, turn);
        return control.abort();
      }
    }
  }

  function apply(asked: Asked, event: ChatEvent): void {
    const { key } = asked;
    switch (event.type) {
      case "start":
        // Whoever read the conversation while the message was on its way may have found it there.
        setState(({ turns }) => ({ turns: turns.filter((turn) => turn.key === key || turn.runId !== event.runId) }));
        changeTurn(key, { runId: event.runId });
        list(event.threadId, asked);
        setState({ threadId: event.threadId });
        keep();
        return;
      case "text":
        return changeTurn(key, ({ answer }) => ({ answer: answer + event.delta }));
      case "step":
        return changeTurn(key, ({ steps }) => ({ steps: withStep(steps, event) }));
      case "wait":
        return changeTurn(key, { waits: event.waiting });
      case "end":
        return changeTurn(key, ({ answer, steps }) => ({
          status: event.status,
          waits: false,
          answer: event.answer === "" ? answer : event.answer,
          sources: event.sources,
          pictures: event.pictures,
          files: event.files,
          steps: steps.filter(({ state }) => state !== "running"),
          problem: problemOfPast(event.status),
        }));
      default:
        return event satisfies never;
    }
  }

  /** Puts a conversation at the top of the list. */
  function list(threadId: string, { text, sent }: Asked): void {
    const { threads } = getState();
    const title = threads.find(({ id }) => id === threadId)?.title ?? (text || (sent[0]?.name ?? "")).slice(0, 80);
    setState({
      threads: [{ id: threadId, title, at: Date.now() }, ...threads.filter(({ id }) => id !== threadId)],
    });
  }

  function refuse(key: string, error: unknown): void {
    const { turns } = getState();
    const isShut = shutCodes.has(codeOf(error) ?? "");
    const problem = isShut ? "Your session has ended, so this was not sent. Try again." : wordsOf(error);
    if (turns.some((turn) => turn.key === key)) changeTurn(key, { status: "failed", problem });
    else setState({ problem: `A message in another conversation was not sent. ${wordsOf(error)}` });
    if (!isShut) return;
    // The visitor can send it again, in a session that is there.
    leaveThread(getState().turns);
    void enterAgain();
  }

  function stop(): void {
    const last = getState().turns.at(-1);
    if (last?.status !== "running") return;
    if (last.runId === null) stopWanted.add(last.key);
    else stopRun(last.runId);
  }

  function stopRun(runId: string): void {
    void client.stop(runId).catch((error: unknown) => setState({ problem: wordsOf(error) }));
  }

  async function rate(key: string, rating: Rating | null, comment: string): Promise<void> {
    const turn = getState().turns.find((one) => one.key === key);
    if (turn === undefined || turn.runId === null) return;
    const { runId } = turn;
    changeTurn(key, { rating, comment });
    // One after the other, so that the last one counts.
    const rated = lastRating.then(() => client.rate(runId, rating, comment));
    lastRating = rated.catch(() => undefined);
    try {
      await rated;
    } catch (error) {
      changeTurn(key, (now) =>
        now.rating === rating && now.comment === comment ? { rating: turn.rating, comment: turn.comment } : {},
      );
      setState({ problem: wordsOf(error) });
    }
  }

  return { store, start, enter, leave, open, remove, upload, send, retry, stop, rate };
}

/** Refusals that say that nobody is let in as before. */
const shutCodes: ReadonlySet<string> = new Set(["unknown_session", "wrong_password", "wrong_identity"]);

/** What a page that was open already asks for once its session has ended. */
const entryWords: Record<ChatPageInfo["access"], string | null> = {
  public: null,
  password: "This chat asks for a password now. Enter it to go on.",
  account: "This chat asks you to sign in now.",
  signed: "This chat is now open only to people whom its site has signed in.",
};

function withStep(steps: readonly PageStep[], { name, state }: PageStep): readonly PageStep[] {
  if (state === "running") return [...steps, { name, state }];
  const at = steps.findIndex((step) => step.name === name && step.state === "running");
  return at === -1 ? [...steps, { name, state }] : steps.with(at, { name, state });
}

function problemOfPast(status: AnswerStatus): string | null {
  switch (status) {
    case "failed":
      return "The answer could not be finished. Try again.";
    case "incomplete":
      return "The answer was cut short.";
    case "stopped":
      return "Stopped.";
    case "running":
    case "completed":
      return null;
    default:
      return status satisfies never;
  }
}

const codeOf = (error: unknown): string | null => (error instanceof ChatProblem ? error.code : null);

const wordsOf = (error: unknown): string =>
  error instanceof ChatProblem ? error.message : "Something went wrong. Try again.";
