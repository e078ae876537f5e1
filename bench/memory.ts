import { signUp } from "../supabase/local/testing/clients.ts";
import { plant } from "../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { createMessageStore } from "../src/state/conversation/storage/message-store.ts";
import type { MessageStore, SessionKey } from "../src/engine/host.ts";
import { assistantMessage, userMessage } from "../src/engine/model/message.ts";
import { compare, limitRow, median, ratioRow, time, type Bench, type Row } from "./measure.ts";

const longSession = 100_000;
const sessions = 50;
const rounds = 5;

const turn = [userMessage("What is 12.5% of 480?"), assistantMessage("It is 60.")];

/** Fills a session past the API, in one statement. */
async function fill(stack: TestStack, owner: string, key: SessionKey, rows: number): Promise<void> {
  await stack.sql(
    `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
     select $1, $2, $3, case when n % 2 = 1 then 'user' else 'assistant' end, 'message ' || n,
       jsonb_build_object('role', case when n % 2 = 1 then 'user' else 'assistant' end,
         'parts', jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'message ' || n)))
     from generate_series(1, ${rows}) as n`,
    [owner, key.workflowId, key.sessionId],
  );
}

/** The last ten messages of a long session, against those of a short one by the same way. */
async function loading(store: MessageStore, long: SessionKey, short: SessionKey): Promise<Row> {
  const last = (key: SessionKey) => async () => {
    const messages = await store.load(key, { limit: 10 });
    if (messages.length !== 10) throw new Error("Messages were lost while loading.");
  };
  const measured = await compare(last(long), last(short), { turns: 30, warmUp: 5 });
  return ratioRow(`last 10 of ${longSession.toLocaleString("en")} messages, against a session of 20`, measured, 1.5);
}

/** Turns of many sessions at once; each turn one write. */
async function appending(store: MessageStore, keyOf: (session: number) => SessionKey): Promise<Row[]> {
  const write = (count: number) =>
    time(() => Promise.all(Array.from({ length: count }, (_, session) => store.append(keyOf(session), turn))));
  const one: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    one.push(await write(1));
    many.push(await write(sessions));
  }
  for (let session = 1; session < sessions; session += 1) {
    const kept = await store.load(keyOf(session), {});
    if (kept.length !== rounds * turn.length) throw new Error("Turns were lost while appending.");
  }
  const perTurn = median(many) / sessions;
  return [
    ratioRow(
      `a turn under ${sessions} parallel sessions, against one alone`,
      { ours: perTurn, bare: median(one) },
      1.5,
    ),
    limitRow(`turns of ${sessions} parallel sessions, all of them`, median(many), "ms", sessions * 30),
  ];
}

/** What the database's memory costs on the embedded stack, over its real API. */
export const memoryBench: Bench = {
  id: "memory",
  title: "Memory",
  async run() {
    const stack = await startTestStack();
    try {
      const user = await signUp(stack);
      const workflowId = String((await plant(stack, "studio_workflows", user))["id"]);
      const keyOf = (sessionId: string): SessionKey => ({ workflowId, sessionId });
      await fill(stack, user.userId, keyOf("long"), longSession);
      await fill(stack, user.userId, keyOf("short"), 20);
      await stack.sql("analyze public.studio_agent_memory");
      const store = createMessageStore(user.client);
      return [
        await loading(store, keyOf("long"), keyOf("short")),
        ...(await appending(store, (session) => keyOf(`parallel ${session}`))),
      ];
    } finally {
      await stack.stop();
    }
  },
};
