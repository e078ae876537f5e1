import type { WorkflowDocument } from "../../../src/engine/document/workflow-document.ts";
import type { Json } from "../../../src/engine/json.ts";
import type { RunEvent } from "../../../src/engine/run/events.ts";
import { runToEnd } from "../../../src/engine/testing/run-to-end.ts";
import { templates } from "../../../src/features/library/templates/index.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import type { ReadRun } from "../../../src/state/assistant/desk.ts";
import { proveFix } from "../../../src/state/assistant/prove-fix.ts";
import { failureIn } from "../../../src/state/assistant/run-failure.ts";
import { editsTowards, isSameGraph } from "../inverse-edits.ts";
import { type Mutation, mutationsOf } from "../mutations.ts";
import { benchHost } from "../seats.ts";
import { type AssistantTask, call, edit, type ScriptTurn } from "../task.ts";

/** Templates that run on the demo model alone. */
const offline = new Set([
  "ask-with-tools",
  "plan-and-reflect",
  "two-agents",
  "route-questions",
  "approve-refunds",
  "guarded-assistant",
  "code-tools",
  "enrich-list",
  "extract-json",
  "weekly-report",
]);

/** A task whose right end is the template as it was. */
export interface RepairTask extends AssistantTask {
  repaired: WorkflowDocument;
}

/**
 * Our templates, broken mechanically, each with the real run that shows it. A mutation that changes nothing of what the run does is
 * left out. `every`: only each so-manieth.
 */
export async function repairTasks({ every = 1 } = {}): Promise<RepairTask[]> {
  const tasks: RepairTask[] = [];
  let found = 0;
  for (const template of templates.filter(({ id }) => offline.has(id))) {
    const original = template.build(template.id);
    const input: Json = template.example === undefined ? {} : { message: template.example };
    const good = await record(original, input);
    for (const mutation of mutationsOf(original)) {
      found += 1;
      if (found % every !== 0) continue;
      const run = await record(mutation.broken, input);
      if (storyOf(run.events) === storyOf(good.events)) continue;
      tasks.push(repairTask(tasks.length, { id: template.id, original, mutation, run, good }));
    }
  }
  return tasks;
}

interface Broken {
  id: string;
  original: WorkflowDocument;
  mutation: Mutation;
  run: ReadRun;
  good: ReadRun;
}

function repairTask(number: number, { id, original, mutation, run, good }: Broken): RepairTask {
  const { operator, at, broken } = mutation;
  const failure = failureIn(run.events);
  const inverse = editsTowards(broken, original);
  const isGraph = operator === "cut wire" || operator === "missing model";
  const last = run.events.at(-1)?.seq ?? 0;
  const script: ScriptTurn[] = [
    {
      calls: [
        { name: "read_workflow", input: {} },
        { name: "read_run", input: { run: run.id } },
      ],
    },
    call("read_step", { run: run.id, step: failure?.event.seq ?? last }),
    call("give_verdict", {
      run: run.id,
      verdict: isGraph ? "graph" : "configuration",
      explanation: `The cause is ${operator}.`,
      steps: [failure?.event.seq ?? last],
    }),
    // Every third time a name is wrong at first.
    ...(number % 3 === 0 ? [edit(...inverse.map(misspelled))] : []),
    edit(...inverse),
    { say: "I propose a repair." },
  ];
  return {
    id: `${id}: ${operator} ${at}`,
    kind: "repair",
    group: operator,
    ask:
      failure === undefined
        ? `The run ${run.id} did not do what it should. It should have ended with: ${outputWords(good.events)}`
        : `Why did the run ${run.id} fail?`,
    document: broken,
    repaired: original,
    runs: [run],
    script,
    async judge({ accepted, canAccept, failure: stopped }) {
      if (!canAccept) return [stopped ?? "Nothing was proposed that can be accepted."];
      if (isSameGraph(accepted, original)) return [];
      const { signal } = new AbortController();
      const host = benchHost();
      const proof = await proveFix({ run, fixed: accepted, registry: nodeRegistry, host, signal });
      return proof.kind === "fixed" ? [] : [`${proof.kind}: ${proof.reason}`];
    },
  };
}

function misspelled(edit: Readonly<Record<string, Json>>): Record<string, Json> {
  const name = "wire" in edit ? "wire" : "node";
  return { ...edit, [name]: `x${String(edit[name])}` };
}

async function record(document: WorkflowDocument, input: Json): Promise<ReadRun> {
  const { events, end } = await runToEnd(document, { registry: nodeRegistry, host: benchHost(), input });
  return { id: end.runId, events, document };
}

/** What a run did, without ids and times: what nodes and tools gave, and how it ended. */
function storyOf(events: readonly RunEvent[]): string {
  const story = events.flatMap((event): Json[] => {
    if (event.type === "node-end") return [[event.nodeId, event.output]];
    if (event.type === "tool-call-end") return [[event.toolNodeId, event.toolName, event.text]];
    if (event.type === "run-end") return [[event.outcome, event.output]];
    return [];
  });
  return JSON.stringify(story).replaceAll(/"(?:durationMs|seconds)":\d+/g, "");
}

function outputWords(events: readonly RunEvent[]): string {
  const end = events.findLast((event) => event.type === "run-end");
  return JSON.stringify(end?.output ?? null).slice(0, 400);
}
