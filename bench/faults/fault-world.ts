import { randomUUID } from "node:crypto";
import { newDocument } from "../../src/engine/document/new-document.ts";
import { createAuthService } from "../../src/state/account/storage/auth-service.ts";
import { createSupabaseClient, type SupabaseClient } from "../../src/state/shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../../src/state/document/storage/workflow-repository.ts";
import type { WorkflowRepository } from "../../src/services/services.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import type { Row } from "../measure.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

/** The real stack, and a guest who reaches it over a way that breaks. */
export interface FaultWorld {
  stack: TestStack;
  proxy: FaultyProxy;
  client: SupabaseClient;
  /** What functions are called with. */
  functions: { functionsUrl: string; publishableKey: string; accessToken(): Promise<string | null> };
  workflows: WorkflowRepository;
  /** Makes a workflow and gives its id. */
  newWorkflow(): Promise<string>;
  stop(): Promise<void>;
}

/** One behaviour under one fault. `round` is true when nothing was lost, doubled or said wrongly. */
export interface FaultCheck {
  name: string;
  round(world: FaultWorld, index: number): Promise<boolean>;
}

export async function openFaultWorld(options: Parameters<typeof startTestStack>[0] = {}): Promise<FaultWorld> {
  const stack = await startTestStack(options);
  const proxy = await startFaultyProxy(stack.url);
  const config = { supabaseUrl: proxy.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  await createAuthService(client, null).enterAsGuest();
  const workflows = createWorkflowRepository(client);
  return {
    stack,
    proxy,
    client,
    functions: {
      functionsUrl: `${proxy.url}/functions/v1`,
      publishableKey: stack.key,
      accessToken: client.accessToken,
    },
    workflows,
    newWorkflow: async () => (await workflows.create(newDocument(randomUUID(), "Faults"))).id,
    async stop() {
      await proxy.stop();
      await stack.stop();
    },
  };
}

/** How many of the rounds held. */
export async function heldRounds(world: FaultWorld, check: FaultCheck, rounds: number): Promise<number> {
  let held = 0;
  for (let index = 0; index < rounds; index += 1) if (await check.round(world, index)) held += 1;
  return held;
}

/** The rounds as a row of the table: "N held, 0 lost". */
export async function faultRow(world: FaultWorld, check: FaultCheck, rounds: number): Promise<Row> {
  const held = await heldRounds(world, check, rounds);
  const goal = `${rounds} held, 0 lost`;
  return { name: check.name, value: held, unit: "held", goal, met: held === rounds };
}
