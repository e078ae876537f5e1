import { describe, expect, it } from "vitest";
import type { ChatEvent, ChatPageInfo, ChatTurn, ChatWork } from "../doors/chat-api.ts";
import { type ChatClient, ChatProblem } from "./chat-client.ts";
import { createChatSession } from "./chat-session.ts";

const info: ChatPageInfo = {
  title: "Help",
  welcome: "",
  placeholder: "",
  picture: "",
  theme: "system",
  accent: { light: "", dark: "" },
  questions: [],
  access: "public",
  attachments: false,
  files: false,
  messageChars: 4000,
  sites: [],
  asksForWork: false,
};
const start: ChatEvent = { type: "start", runId: "r1", threadId: "t1" };
const sources = [{ url: "https://example.com/sky", title: "The sky" }];
const end: ChatEvent = { type: "end", status: "completed", answer: "Hello there", sources };

/** A turn whose answer is on its way, as the server tells of it. */
const running: ChatTurn = {
  runId: "r1",
  text: "Hi",
  images: [],
  sent: [],
  answer: "",
  status: "running",
  rating: null,
  comment: "",
};

const refusal = (code: string) => new ChatProblem(code, `Refused: ${code}`);

async function* stream(...events: (ChatEvent | Error)[]): AsyncGenerator<ChatEvent> {
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event;
  }
}

const work: ChatWork = {
  challenge: {
    parameters: { algorithm: "PBKDF2/SHA-256", nonce: "00", salt: "00", cost: 1, keyLength: 32, keyPrefix: "00" },
    signature: "00",
  },
  solution: { counter: 1, derivedKey: "00" },
};

const sentPicture = { id: "00000000-0000-4000-9000-000000000001", name: "cat.png", mediaType: "image/png", size: 3 };

/** A session with a server whose answers a test scripts, and what was asked of it. */
function sessionWith(
  script: Partial<ChatClient> & { access?: ChatPageInfo["access"]; asksForWork?: boolean },
  kept: { browser?: string; page?: string; threadId?: string; draft?: string } = {},
) {
  const calls: string[] = [];
  let shown: string | null = null;
  const client: ChatClient = {
    page: async () => ({ ...info, access: script.access ?? "public", asksForWork: script.asksForWork ?? false }),
    openSession: async (proof) => {
      calls.push(`session ${JSON.stringify(proof)}`);
      return "test-key-made";
    },
    work: async () => {
      calls.push("work");
      return work;
    },
    resume: async (browser) => {
      calls.push(`resume ${browser}`);
      return "test-key-resumed";
    },
    leave: async () => void calls.push("leave"),
    upload: async (file) => {
      calls.push(`upload ${file.name}`);
      return { ...sentPicture, name: file.name };
    },
    threads: async () => [],
    thread: async () => [],
    deleteThread: async (id) => void calls.push(`delete ${id}`),
    send: (message) => {
      calls.push(`send ${message.text} ${message.threadId ?? "new"}`);
      return stream(start, { type: "text", delta: "Hello" }, end);
    },
    follow: () => stream(end),
    stop: async (runId) => void calls.push(`stop ${runId}`),
    rate: async (runId, rating, comment) => void calls.push(`rate ${runId} ${rating} ${comment}`),
    ...script,
  };
  let keys = 0;
  const session = createChatSession(
    () => client,
    {
      browser: kept.browser ?? null,
      page: kept.page ?? null,
      threadId: kept.threadId ?? null,
      draft: kept.draft ?? null,
      showThread: (id) => (shown = id),
      reload: (draft) => void calls.push(`reload ${draft}`),
      identity: async () => null,
    },
    () => `key-${(keys += 1)}`,
  );
  return { session, calls, shown: () => shown, state: () => session.store.getState() };
}

/** A promise that waits until it is given its value. */
function held<Value>() {
  let release: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => (release = resolve));
  return { promise, release };
}

const settled = async (state: () => { turns: readonly { status: string }[] }) => {
  await expect.poll(() => state().turns.at(-1)?.status).not.toBe("running");
};

describe("a visitor's session", () => {
  it("sends files without words, and lists the conversation by the first of them", async () => {
    const { session, calls, state } = sessionWith({});
    await session.start();
    expect(session.send(" ")).toBe(false);
    expect(session.send(" ", [{ ...sentPicture, url: "" }])).toBe(true);
    await settled(state);
    expect(calls).toEqual(["session {}", "send  new"]);
    expect(state().threads).toMatchObject([{ title: "cat.png" }]);
  });

  it("S75 asks the server for a session with the first message, and shows the conversation in the address", async () => {
    const { session, calls, shown, state } = sessionWith({});
    await session.start();
    expect(calls).toEqual([]);
    expect(session.send("Hi")).toBe(true);
    await settled(state);
    expect(calls).toEqual(["session {}", "send Hi new"]);
    expect(shown()).toBe("t1");
    expect(state().turns[0]).toMatchObject({ answer: "Hello there", status: "completed", runId: "r1", sources });
    session.send("And?", []);
    await settled(state);
    expect(calls.at(-1)).toBe("send And? t1");
  });

  it("S76 loads the page anew that was served too long ago, once, and keeps what was typed", async () => {
    const expired = { openSession: async () => Promise.reject(new ChatProblem("page_expired", "Reload the page.")) };
    const first = sessionWith(expired, { page: "test-key-page" });
    await first.session.start();
    first.session.send("Hi");
    await expect.poll(() => first.calls).toEqual(["reload Hi"]);
    const again = sessionWith(expired, { page: "test-key-page", draft: "Hi" });
    await again.session.start();
    expect(again.state()).toMatchObject({ draft: "Hi", problem: expect.stringContaining("Check it, then send it") });
    const locked = sessionWith({ access: "password" }, { page: "test-key-page", draft: "" });
    await locked.session.start();
    expect(locked.state().phase).toMatchObject({ kind: "locked", problem: expect.stringContaining("was reloaded") });
    again.session.send("Hi");
    await settled(again.state);
    expect(again.calls).toEqual([]);
    expect(again.state().turns).toMatchObject([{ text: "Hi", status: "failed", problem: "Reload the page." }]);
    const pictures = sessionWith(expired, { page: "test-key-page" });
    await pictures.session.start();
    pictures.session.send("See", [{ ...sentPicture, url: "blob:picture" }]);
    await settled(pictures.state);
    expect(pictures.calls).toEqual([]);
  });

  it("stores a file in a session that it opens, and sends its id with the message, also when it is asked again", async () => {
    const sent: unknown[] = [];
    const refusing = sessionWith({
      send: ({ files }) => {
        sent.push(files);
        return stream(refusal("busy"));
      },
    });
    await refusing.session.start();
    const options = { signal: new AbortController().signal, onProgress: () => {} };
    const kept = await refusing.session.upload(new File(["abc"], "cat.png"), options);
    expect(refusing.calls).toEqual(["session {}", "upload cat.png"]);
    refusing.session.send("See", [{ ...kept, url: "" }]);
    await settled(refusing.state);
    refusing.session.retry(refusing.state().turns[0]?.key ?? "");
    await settled(refusing.state);
    expect(sent).toEqual([[kept.id], [kept.id]]);
  });

  it("opens the conversation that was open, and reads on an answer that is on its way", async () => {
    const { session, state } = sessionWith(
      { threads: async () => [{ id: "t1", title: "Hi", at: 1 }], thread: async () => [running] },
      { browser: "test-key-browser", threadId: "t1" },
    );
    await session.start();
    await settled(state);
    expect(state().turns).toMatchObject([{ text: "Hi", answer: "Hello there", status: "completed" }]);
  });

  it("S75 begins anew when the server does not know its token any more", async () => {
    const { session, shown, state } = sessionWith(
      { threads: () => Promise.reject(refusal("unknown_session")) },
      { browser: "test-key-browser", threadId: "t1" },
    );
    await session.start();
    expect(state()).toMatchObject({ phase: { kind: "ready" }, threads: [], turns: [] });
    expect(shown()).toBeNull();
  });

  it("asks for the password, and says when it was wrong", async () => {
    const { session, state } = sessionWith({
      access: "password",
      openSession: ({ password }) =>
        password === "right" ? Promise.resolve("test-key-made") : Promise.reject(refusal("wrong_password")),
    });
    await session.start();
    expect(state().phase).toEqual({ kind: "locked", problem: null });
    await session.enter({ password: "wrong" });
    expect(state().phase).toEqual({ kind: "locked", problem: "Refused: wrong_password" });
    await session.enter({ password: "right" });
    expect(state().phase).toEqual({ kind: "ready" });
  });

  it.each([
    ["unknown_session", { browser: "test-key-browser" }],
    ["wrong_password", {}],
  ])("asks in words for a password that it got while it was open (%s), and keeps the message", async (code, kept) => {
    let access: ChatPageInfo["access"] = "public";
    const isIn = (password?: string) => access === "public" || password === "right";
    const { session, state } = sessionWith(
      {
        page: async () => ({ ...info, access }),
        openSession: async ({ password }) => {
          if (!isIn(password)) throw refusal("wrong_password");
          return "test-key-made";
        },
        send: () => (code === "unknown_session" && access !== "public" ? stream(refusal(code)) : stream(start, end)),
      },
      kept,
    );
    await session.start();
    access = "password";
    session.send("Hi");
    await settled(state);
    await new Promise((resolve) => setTimeout(resolve));
    const { phase } = state();
    expect(phase).toEqual({ kind: "locked", problem: "This chat asks for a password now. Enter it to go on." });
    await session.enter({ password: "right" });
    expect(state().phase).toEqual({ kind: "ready" });
    expect(state().turns).toMatchObject([
      { text: "Hi", status: "failed", problem: expect.stringContaining("Try again") },
    ]);
  });

  it("signs out on this browser", async () => {
    const { session, calls, state } = sessionWith({ access: "password" }, { browser: "test-key-browser" });
    await session.start();
    expect(state().phase).toEqual({ kind: "ready" });
    await session.leave();
    expect(calls).toEqual(["resume test-key-browser", "leave"]);
    expect(state().phase).toEqual({ kind: "locked", problem: null });
  });

  it("reads an answer again from its beginning when the connection breaks off", async () => {
    const { session, state } = sessionWith({
      send: () => stream(start, { type: "text", delta: "Hel" }, refusal("unreachable")),
    });
    await session.start();
    session.send("Hi");
    await settled(state);
    expect(state().turns).toMatchObject([{ answer: "Hello there", status: "completed", problem: null }]);
  });

  it("S77 keeps what was said, and the refused message, when the day's messages are used up", async () => {
    const asked: string[] = [];
    const { session, state } = sessionWith({
      send: ({ text }) => {
        asked.push(text);
        return asked.length === 1 ? stream(start, end) : stream(refusal("closed"));
      },
    });
    await session.start();
    session.send("Hi");
    await settled(state);
    session.send("And now?", []);
    await settled(state);
    expect(state().phase).toEqual({ kind: "ready" });
    expect(state().turns).toMatchObject([
      { answer: "Hello there" },
      { text: "And now?", status: "failed", problem: "Refused: closed" },
    ]);
    session.retry("key-2");
    await settled(state);
    expect(asked).toEqual(["Hi", "And now?", "And now?"]);
  });

  it("says while an answer waits for a person, until it goes on", async () => {
    let goOn = () => {};
    const answered = new Promise<void>((resolve) => (goOn = resolve));
    const { session, state } = sessionWith({
      async *send() {
        yield start;
        yield { type: "wait", waiting: true };
        await answered;
        yield { type: "wait", waiting: false };
        yield end;
      },
    });
    await session.start();
    session.send("Hi");
    await expect.poll(() => state().turns[0]?.waits).toBe(true);
    expect(state().turns[0]?.status).toBe("running");
    goOn();
    await settled(state);
    expect(state().turns).toMatchObject([{ waits: false, status: "completed", answer: "Hello there" }]);
  });

  it("says why a message was refused, and sends the same one again on request", async () => {
    let refused = false;
    const { session, state } = sessionWith({
      send: () => {
        if (refused) return stream(start, end);
        refused = true;
        return stream(refusal("rate_limit"));
      },
    });
    await session.start();
    session.send("Hi");
    await settled(state);
    expect(state().turns).toMatchObject([{ status: "failed", problem: "Refused: rate_limit" }]);
    session.retry("key-1");
    await settled(state);
    expect(state().turns).toMatchObject([{ status: "completed", problem: null }]);
  });

  it("stops an answer that had not begun as soon as it has", async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    async function* slow(): AsyncGenerator<ChatEvent> {
      await begun;
      yield start;
      yield { type: "end", status: "stopped", answer: "" };
    }
    const { session, calls, state } = sessionWith({ send: slow });
    await session.start();
    session.send("Hi");
    session.stop();
    begin();
    await settled(state);
    expect(calls).toContain("stop r1");
    expect(state().turns).toMatchObject([{ status: "stopped", problem: "Stopped." }]);
  });

  it("stops an answer that had not begun also where another conversation was opened and asked meanwhile", async () => {
    const taking = held<void>();
    async function* slow({ text }: { text: string }): AsyncGenerator<ChatEvent> {
      if (text === "Hi") await taking.promise;
      yield text === "Hi" ? start : { type: "start", runId: "r2", threadId: "t2" };
      yield end;
    }
    const { session, calls, state } = sessionWith({ send: slow });
    await session.start();
    session.send("Hi");
    session.stop();
    await session.open(null);
    session.send("And?", []);
    await settled(state);
    taking.release();
    await expect.poll(() => state().threads).toMatchObject([{ id: "t1" }, { id: "t2" }]);
    expect(calls.filter((call) => call.startsWith("stop"))).toEqual(["stop r1"]);
  });

  it("says that an answer could not be stopped, also one that had not begun", async () => {
    const { session, state } = sessionWith({ stop: () => Promise.reject(refusal("unavailable")) });
    await session.start();
    session.send("Hi");
    session.stop();
    await settled(state);
    expect(state().problem).toBe("Refused: unavailable");
  });

  it("keeps a question that was asked while its conversation was still being read", async () => {
    const past = (runId: string, text: string): ChatTurn => ({ ...running, runId, text, status: "completed" });
    const reading = held<ChatTurn[]>();
    const { session, state } = sessionWith({ thread: () => reading.promise });
    await session.start();
    const opened = session.open("t1");
    session.send("And?", []);
    await settled(state);
    // The server read it after it had taken the question.
    reading.release([past("r0", "Hi"), past("r1", "And?")]);
    await opened;
    expect(state().turns).toMatchObject([{ text: "Hi" }, { text: "And?", answer: "Hello there", status: "completed" }]);
  });

  it("shows a question once that the server had taken before it said so", async () => {
    const answering = held<void>();
    async function* slow(): AsyncGenerator<ChatEvent> {
      await answering.promise;
      yield* stream(start, end);
    }
    const reading = held<ChatTurn[]>();
    const { session, state } = sessionWith({ send: slow, thread: () => reading.promise });
    await session.start();
    const opened = session.open("t1");
    session.send("Hi");
    reading.release([running]);
    await opened;
    answering.release();
    await settled(state);
    expect(state().turns).toMatchObject([{ key: "key-1", text: "Hi", answer: "Hello there" }]);
  });

  it("lists a conversation whose first message was on its way when another was opened", async () => {
    const taking = held<void>();
    async function* slow(_message: unknown, signal: AbortSignal): AsyncGenerator<ChatEvent> {
      await taking.promise;
      signal.throwIfAborted();
      yield* stream(start, end);
    }
    const { session, shown, state } = sessionWith({ send: slow });
    await session.start();
    session.send("Hi");
    await session.open(null);
    taking.release();
    await expect.poll(() => state().threads).toMatchObject([{ id: "t1", title: "Hi" }]);
    expect(state()).toMatchObject({ threadId: null, turns: [] });
    expect(shown()).toBeNull();
  });

  it("sends two first messages as one visitor", async () => {
    const opening = held<string>();
    let opened = 0;
    const { session, calls, state } = sessionWith({
      openSession: () => {
        opened += 1;
        return opening.promise;
      },
    });
    await session.start();
    session.send("Hi");
    await session.open(null);
    session.send("And?", []);
    opening.release("test-key-made");
    await settled(state);
    expect(calls).toEqual(["send Hi new", "send And? new"]);
    expect(opened).toBe(1);
  });

  it("says that a message was refused whose conversation is not open any more", async () => {
    const taking = held<void>();
    async function* refused(): AsyncGenerator<ChatEvent> {
      await taking.promise;
      yield* stream(refusal("rate_limit"));
    }
    const { session, state } = sessionWith({ send: refused });
    await session.start();
    session.send("Hi");
    await session.open("t2");
    taking.release();
    await expect
      .poll(() => state().problem)
      .toBe("A message in another conversation was not sent. Refused: rate_limit");
    expect(state()).toMatchObject({ threadId: "t2", turns: [] });
  });

  it("keeps the next visitor signed in when a message of the one before is refused", async () => {
    const taking = held<void>();
    async function* refused(): AsyncGenerator<ChatEvent> {
      await taking.promise;
      yield* stream(refusal("unknown_session"));
    }
    const { session, state } = sessionWith({
      access: "password",
      openSession: async ({ password }) => `test-key-${password}`,
      send: refused,
    });
    await session.start();
    await session.enter({ password: "first" });
    session.send("Hi");
    await session.leave();
    await session.enter({ password: "second" });
    taking.release();
    await taking.promise;
    await new Promise((resolve) => setTimeout(resolve));
    expect(state()).toMatchObject({ phase: { kind: "ready" }, problem: null });
  });

  it("lists nothing of a message that was on its way when the visitor signed out", async () => {
    const taking = held<void>();
    async function* slow(): AsyncGenerator<ChatEvent> {
      await taking.promise;
      yield* stream(start, end);
    }
    const { session, state } = sessionWith({ send: slow });
    await session.start();
    session.send("Hi");
    await expect.poll(() => state().turns).toHaveLength(1);
    await session.leave();
    taking.release();
    await taking.promise;
    await new Promise((resolve) => setTimeout(resolve));
    expect(state()).toMatchObject({ threads: [], threadId: null, turns: [] });
  });

  it("says nothing of a conversation that could not be read once another is open", async () => {
    const reading = held<void>();
    const { session, state } = sessionWith({
      async thread(id) {
        if (id !== "t1") return [];
        await reading.promise;
        throw refusal("unavailable");
      },
    });
    await session.start();
    const first = session.open("t1");
    await session.open("t2");
    reading.release();
    await first;
    expect(state()).toMatchObject({ threadId: "t2", problem: null });
  });

  it("sends ratings one after the other, and takes back none that was changed meanwhile", async () => {
    const [first, order] = [held<void>(), [] as string[]];
    const { session, state } = sessionWith({
      async rate(_run, rating) {
        order.push(`${rating} asked`);
        if (rating !== "up") return;
        await first.promise;
        throw refusal("unavailable");
      },
    });
    await session.start();
    session.send("Hi");
    await settled(state);
    const rated = [session.rate("key-1", "up", ""), session.rate("key-1", "down", "")];
    await expect.poll(() => order).toEqual(["up asked"]);
    first.release();
    await Promise.all(rated);
    expect(order).toEqual(["up asked", "down asked"]);
    expect(state().turns).toMatchObject([{ rating: "down" }]);
  });

  it("takes a rating back that the server did not take", async () => {
    const { session, state } = sessionWith({ rate: () => Promise.reject(refusal("unavailable")) });
    await session.start();
    session.send("Hi");
    await settled(state);
    await session.rate("key-1", "down", "Wrong");
    expect(state()).toMatchObject({ problem: "Refused: unavailable", turns: [{ rating: null, comment: "" }] });
  });

  it("deletes a conversation, and begins a new one if it was open", async () => {
    const { session, calls, shown, state } = sessionWith({});
    await session.start();
    session.send("Hi");
    await settled(state);
    await session.remove("t1");
    expect(calls).toContain("delete t1");
    expect(state()).toMatchObject({ threads: [], threadId: null, turns: [] });
    expect(shown()).toBeNull();
  });
});
