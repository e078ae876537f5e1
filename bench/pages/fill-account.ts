import { randomUUID } from "node:crypto";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { runWorkflow } from "../../src/engine/run/run-workflow.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import type { DatabaseClient } from "../../supabase/local/database/database-client.ts";
import { soakWorkflow } from "../canvas/long-run.ts";

/** How much an account has. */
export interface AccountSize {
  workflows: number;
  runs: number;
  eventsPerRun: number;
  conversations: number;
  messagesPerConversation: number;
}

/** Rows that one statement writes; triggers that count them keep each in memory. */
const batch = { runs: 2_000, events: 20_000, conversations: 500 };

/** Days that the runs are spread over. */
const days = 90;

/** What a chat with one tool call writes, which every run of the account repeats. */
async function sampleEvents(document: WorkflowDocument, count: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const input = { message: "What is 17 times 23?" };
  for await (const event of runWorkflow(document, { registry: nodeRegistry, host: testHost(), input })) {
    events.push(event);
  }
  // The middle is streamed words.
  while (events.length < count) events.splice(events.length >> 1, 0, ...events.slice(events.length >> 1).slice(0, 1));
  return events.slice(0, count);
}

/** Starts of batches, each with where it ends. */
function* batches(count: number, size: number): Generator<[number, number]> {
  for (let start = 1; start <= count; start += size) yield [start, Math.min(count, start + size - 1)];
}

/**
 * Gives an account workflows, runs, events and conversations past the API, but through every trigger that counts them. A tenth
 * of the runs and all conversations belong to one workflow, whose id it gives.
 */
export async function fillAccount(database: DatabaseClient, owner: string, size: AccountSize): Promise<string> {
  const document = soakWorkflow();
  const events = await sampleEvents(document, size.eventsPerRun);
  const busiest = randomUUID();
  await database.query(
    `insert into public.studio_workflows (id, owner, name, document, tags)
     select case when n = 1 then $2::uuid else gen_random_uuid() end, $1::uuid, 'Workflow ' || n,
       $3::jsonb || jsonb_build_object('description', 'Answers letters of kind ' || n % 40), array['team-' || n % 12]
     from generate_series(1, $4::integer) as n`,
    [owner, busiest, JSON.stringify(document), size.workflows],
  );
  for (const [start, end] of batches(size.runs, batch.runs)) {
    await database.query(
      `with own as materialized (
         select array_agg(id order by id = $2::uuid desc, id) as ids from public.studio_workflows where owner = $1::uuid
       )
       insert into public.studio_runs
         (owner, workflow_id, status, input, output, error, document, total_tokens, cost_usd, usage, started_at, ended_at)
       select $1::uuid, own.ids[case when n % 10 = 0 then 1 else 1 + (n * 7919) % cardinality(own.ids) end],
         case when n % 13 = 0 then 'failed' when n % 50 = 1 then 'cancelled' else 'completed' end,
         jsonb_build_object('value', jsonb_build_object('message', 'Letter ' || n || ': when does my parcel come?')),
         jsonb_build_object('value', repeat('It comes on Thursday. ', 20)),
         case when n % 13 = 0 then '{"code":"rate-limited","message":"Too many requests.","hint":"Wait.","retryable":true}'::jsonb end,
         $3::jsonb, 1200, 0.004,
         jsonb_build_array(
           jsonb_build_object('provider', 'openai', 'model', 'model-' || n % 5, 'calls', 2, 'inputTokens', 900,
             'outputTokens', 200, 'costUsd', 0.003),
           jsonb_build_object('provider', 'google', 'model', 'embedding', 'calls', 1, 'inputTokens', 100,
             'outputTokens', 0, 'costUsd', 0.001)),
         now() - n * ($5::integer * interval '1 day' / $6::integer),
         now() - n * ($5::integer * interval '1 day' / $6::integer) + interval '3 seconds'
       from own, generate_series($4::integer, $7::integer) as n`,
      [owner, busiest, JSON.stringify(document), start, days, size.runs, end],
    );
  }
  const runsOfBatch = Math.floor(batch.events / size.eventsPerRun);
  for (const [start, end] of batches(size.runs, runsOfBatch)) {
    await database.query(
      `insert into public.studio_run_events (owner, run_id, run_added_at, seq, at, type, event)
       select $1::uuid, runs.id, runs.added_at, sample.seq - 1, runs.started_at, sample.event ->> 'type',
         sample.event || jsonb_build_object('seq', sample.seq - 1)
       from (
         select id, added_at, started_at from public.studio_runs where owner = $1::uuid
         order by started_at desc, id desc offset $3::integer limit $4::integer
       ) as runs, jsonb_array_elements($2::jsonb) with ordinality as sample (event, seq)`,
      [owner, JSON.stringify(events), start - 1, end - start + 1],
    );
  }
  for (const [start, end] of batches(size.conversations, batch.conversations)) {
    await database.query(
      `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
       select $1::uuid, $2::uuid, 'customer-' || n, case when m % 2 = 1 then 'user' else 'assistant' end,
         'Question ' || m || ' of customer ' || n,
         jsonb_build_object('role', case when m % 2 = 1 then 'user' else 'assistant' end, 'parts',
           jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'Question ' || m || ' of customer ' || n)))
       from generate_series($3::integer, $4::integer) as n, generate_series(1, $5::integer) as m
       order by n, m`,
      [owner, busiest, start, end, size.messagesPerConversation],
    );
  }
  return busiest;
}
