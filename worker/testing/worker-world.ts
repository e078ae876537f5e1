import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod/mini";
import type { AfterCrash } from "../../src/engine/document/after-crash.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import type { ApprovalPolicy } from "../../src/engine/tool/tool.ts";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import { saveTestCredential } from "../../supabase/functions/_shared/testing/call-function.ts";
import { createTestClient, type SignedIn, signUp } from "../../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { type StepServers, startStepServers } from "./step-servers.ts";

/** A studio with functions and a worker, an account in it, and the servers that its workflows call. */
export interface WorkerWorld {
  readonly stack: TestStack;
  readonly user: SignedIn;
  servers: StepServers;
  /**
   * The agent that does what `orderOf` says, with the tool's settings and a memory as asked; interrupted calls are repeated by default.
   * `credential`: of another account than the world's own.
   */
  stepAgent(options?: {
    approval?: ApprovalPolicy;
    afterCrash?: AfterCrash;
    memory?: boolean;
    name?: string;
    credential?: string;
  }): WorkflowDocument;
  /** Answers all that waits for a person. */
  decideAll(decision: JsonObject): Promise<void>;
  /** Stores and publishes a workflow, and gives its id; the slug is the workflow's name. */
  publish(document: WorkflowDocument, limits?: JsonObject, owner?: SignedIn): Promise<string>;
  /** Gives an account what the model is asked with. */
  saveCredential(owner: SignedIn): Promise<string>;
  start(slug: string, input: JsonObject): Promise<string>;
  row(id: string): Promise<Record<string, unknown>>;
  events(id: string): Promise<RunEvent[]>;
  /** Waits until a run has one of these statuses. */
  until(id: string, ...statuses: string[]): Promise<Record<string, unknown>>;
  /** Waits until something is there. */
  eventually<Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value>;
  /** The process id of the first worker, once it runs. */
  workerPid(): Promise<number>;
  /** Stops the studio in order and starts it again with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const ended = ["completed", "failed", "cancelled"];

export async function startWorkerWorld(
  options: {
    stepMs?: number;
    workers?: number;
    site?: string;
    databaseUrl?: string;
    /** Hosts that workflows may call besides the world's own server, in the form of STUDIO_ALLOW_HOSTS. */
    allowHosts?: string;
    dataDir?: string;
    log?: (line: string) => void;
  } = {},
): Promise<WorkerWorld> {
  const { stepMs = 10, workers = 1, site, databaseUrl, log = () => {} } = options;
  const servers = await startStepServers(stepMs);
  const allowHosts = [servers.api.host, ...(options.allowHosts === undefined ? [] : [options.allowHosts])].join(",");
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "switchyard-worker-")));
  const start = () => startTestStack({ functions: true, allowHosts, workers, dataDir, site, databaseUrl, log });
  let stack = await start();
  let user = await signUp(stack);
  const saveCredential = ({ accessToken }: SignedIn) => {
    const fields = { baseUrl: `http://${servers.vendor.host}/v1`, apiKey: "test-key-steps-0123456789" };
    return saveTestCredential(stack, accessToken, { type: "openai-compatible", fields });
  };
  const ownCredential = await saveCredential(user);

  const eventually: WorkerWorld["eventually"] = async (look) => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await delay(50);
    }
  };

  async function row(id: string): Promise<Record<string, unknown>> {
    const [found] = await stack.sql<Record<string, unknown>>("select * from public.studio_runs where id = $1", [id]);
    return found ?? {};
  }

  return {
    get stack() {
      return stack;
    },
    get user() {
      return user;
    },
    servers,
    eventually,
    row,

    saveCredential,

    stepAgent: ({
      approval = "never",
      afterCrash = "repeat",
      memory = false,
      name = "steps",
      credential = ownCredential,
    } = {}) =>
      buildWorkflow({
        id: crypto.randomUUID(),
        name,
        nodes: {
          chat: ["chat-trigger"],
          agent: ["ai-agent", { maxIterations: 50 }],
          model: ["openai-compatible-model", { credential, model: "steps-1" }],
          ...(memory ? { memory: ["window-memory", { windowSize: 50 }] as [string, JsonObject] } : {}),
          tool: [
            "http-request-tool",
            {
              toolName: "step",
              method: "POST",
              url: `http://${servers.api.host}/step?run={{ai("run","the run","string")}}&step={{ai("step","the step","string")}}`,
              approval,
              afterCrash,
            },
          ],
        },
        edges: [
          "chat.main -> agent.main",
          "model.model -> agent.model",
          "tool.tool -> agent.tools",
          ...(memory ? ["memory.memory -> agent.memory"] : []),
        ],
      }),

    async publish(document, limits, owner = user) {
      const { id, name } = document;
      const { error } = await owner.client.from("studio_workflows").upsert({ id, name, document });
      if (error) throw new Error(error.message);
      const published = await owner.client.rpc("studio_publish", {
        p_workflow_id: id,
        p_document: document,
        p_workflows: {},
        p_hash: createHash("sha256").update(JSON.stringify(document)).digest("hex"),
        p_schedules: [],
        p_slug: name,
        p_note: "",
        p_revision: 1,
        p_target: "live",
      });
      if (published.error) throw new Error(published.error.message);
      if (limits) {
        await owner.client.rpc("studio_set_publication", { p_workflow_id: id, p_limits: limits, p_on_failure: null });
      }
      return id;
    },

    async start(slug, input) {
      const { data, error } = await user.client.rpc("studio_start_run", {
        p_workflow: slug,
        p_target: "live",
        p_input: input,
      });
      if (error) throw new Error(error.message);
      return z.object({ id: z.string() }).parse(data).id;
    },

    async decideAll(decision) {
      const waits = await stack.sql<{ run_id: string; call_id: string }>(
        "select run_id, call_id from public.studio_run_waits where decision is null and kind = 'approval'",
      );
      for (const { run_id, call_id } of waits) {
        const { error } = await user.client.rpc("studio_decide_wait", {
          p_run_id: run_id,
          p_call_id: call_id,
          p_decision: decision,
        });
        if (error) throw new Error(error.message);
      }
    },

    async events(id) {
      const rows = await stack.sql<{ event: RunEvent }>(
        "select event from public.studio_run_events where run_id = $1 order by seq",
        [id],
      );
      return rows.map(({ event }) => event);
    },

    until: (id, ...statuses) =>
      eventually(async () => {
        const found = await row(id);
        const status = String(found["status"]);
        if (statuses.includes(status)) return found;
        if (ended.includes(status)) throw new Error(`The run ended as ${status}: ${JSON.stringify(found["error"])}`);
        return undefined;
      }),

    workerPid: () => eventually(() => stack.workers.statuses().find(({ state }) => state === "running")?.pid),

    async restart() {
      await stack.stop();
      stack = await start();
      const client = createTestClient(stack);
      await client.auth.signInWithPassword({ email: user.email, password: user.password });
      user = { ...user, client };
    },

    async stop() {
      await stack.stop();
      await servers.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
