import { messageText } from "../src/engine/model/message.ts";
import type { ModelRequest } from "../src/engine/model/chat-model.ts";
import { roughTokensAbove } from "../src/engine/spending/rough-tokens.ts";
import { compactionInstruction } from "../src/engine/agent/compaction/compaction-texts.ts";
import { runScriptedAgent, testTool } from "../src/engine/testing/run-scripted-agent.ts";
import type { ScriptedTurn } from "../src/engine/testing/scripted-model.ts";
import { type Bench, limitRow, type Row } from "./measure.ts";

const pages = 400;
const pagesAtOnce = 10;
const pageChars = 5_000;
const facts = 50;
/** Of a model with 128,000 tokens. */
const limit = 76_800;

const pageOfFact = (fact: number) => fact * (pages / facts) + 3;
const nameOf = (fact: number) => `Harbour${fact}`;
const codeOf = (fact: number) => `KX-${(fact * 7_919) % 100_000}-${fact}`;

/** A page of filler, of which some pages say one thing that is asked afterwards. */
function pageText(number: number): string {
  const fact = Array.from({ length: facts }, (_, index) => index).find((index) => pageOfFact(index) === number);
  const said = fact === undefined ? "" : `The code of ${nameOf(fact)} is ${codeOf(fact)}. `;
  const filler = `Line of page ${number}, which says nothing that anybody will ask for. `;
  // At other places each time, also where a text may be cut.
  const before = filler.repeat(5 + (number % 40)).slice(number % 7);
  return (before + said + filler.repeat(100)).slice(0, pageChars);
}

/** Reads all pages, then looks each fact up, and answers with what was found. */
function script(request: ModelRequest, progress: { read: number; looked: number }): ScriptedTurn {
  if (isCompaction(request)) return { text: `I have read up to page ${progress.read}.` };
  if (progress.read < pages) {
    const calls = Array.from({ length: pagesAtOnce }, () => {
      progress.read += 1;
      return { name: "read_page", arguments: { number: progress.read - 1 }, callId: `read-${progress.read}` };
    });
    return { calls };
  }
  if (progress.looked < facts) {
    const calls = Array.from({ length: pagesAtOnce }, () => {
      progress.looked += 1;
      return {
        name: "recall_earlier",
        arguments: { query: nameOf(progress.looked - 1) },
        callId: `look-${progress.looked}`,
      };
    });
    return { calls };
  }
  return { text: "Done." };
}

/** An agent of 400 calls with 2 MB of results, in a context window that holds a sixth of them. */
export const longBench: Bench = {
  id: "long",
  title: `Long work: ${pages} calls with ${(pages * pageChars) / 1e6} MB of results`,
  async run(): Promise<Row[]> {
    const progress = { read: 0, looked: 0 };
    const { model, of } = await runScriptedAgent({
      script: (request) => script(request, progress),
      tools: [testTool("read_page", ({ number }) => ({ ok: true, output: pageText(Number(number)) }))],
      settings: { compactAbove: limit, maxIterations: 50, userMessage: "Read all pages, then say the codes." },
    });
    const answers = of("tool-call-end").filter(({ callId }) => callId.startsWith("look-"));
    const inView = new Map(
      (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
        message.role === "tool" ? [[message.callId, message.text] as const] : [],
      ),
    );
    const found = answers.filter(({ callId, output }) => {
      const fact = Number(callId.slice("look-".length)) - 1;
      const page = inView.get(`read-${pageOfFact(fact) + 1}`) ?? "";
      return JSON.stringify(output).includes(codeOf(fact)) || page.includes(codeOf(fact));
    });
    const sizes = model.requests.map(({ messages, tools }) => roughTokensAbove(0, { messages, tools }));
    const compactions = of("compaction").length;
    return [
      limitRow("largest request, of the window", Math.max(...sizes) / (limit / 0.6), "×", 0.65),
      { name: "compactions", value: compactions, unit: "times", goal: "some", met: compactions > 0 },
      {
        name: "planted facts that are found afterwards",
        value: found.length,
        unit: `of ${facts}`,
        goal: "all",
        met: found.length === facts,
      },
      equalBeginnings(model.requests),
    ];
  },
};

/** What share of a request begins the next one as well, so that vendors need not read it again; a compaction begins anew. */
function equalBeginnings(requests: readonly ModelRequest[]): Row {
  const sent = requests.map(({ messages, tools }) => [
    JSON.stringify(tools),
    ...messages.map((each) => JSON.stringify(each)),
  ]);
  let before = 0;
  let equal = 0;
  for (const [index, parts] of sent.entries()) {
    const last = isCompaction(requests[index]) || isCompaction(requests[index - 1]) ? [] : (sent[index - 1] ?? []);
    const firstOther = last.findIndex((part, at) => part !== parts[at]);
    before += sum(last);
    equal += sum(firstOther === -1 ? last : last.slice(0, firstOther));
  }
  const value = equal / before;
  return {
    name: "of a request that begins the next one, between compactions",
    value,
    unit: "×",
    goal: "≥ 0.9 ×",
    met: value >= 0.9,
  };
}

function isCompaction(request: ModelRequest | undefined): boolean {
  const last = request?.messages.at(-1);
  return last !== undefined && messageText(last) === compactionInstruction;
}

const sum = (parts: readonly string[]) => parts.reduce((total, part) => total + part.length, 0);
