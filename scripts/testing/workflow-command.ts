import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startJsonApi } from "../../e2e/servers/json-api.ts";
import type { LoopbackServer } from "../../e2e/servers/loopback-server.ts";
import { startOpenaiServer, type OpenaiServer } from "../../e2e/servers/openai-server.ts";

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `npm run workflow` in a directory of its own, with a model vendor and an API on loopback. */
interface WorkflowCommand {
  directory: string;
  model: OpenaiServer;
  api: LoopbackServer;
  write(name: string, content: unknown, mode?: number): void;
  /** `during` sees the child while it runs. */
  run(
    args: string[],
    options?: { stdin?: string; environment?: Record<string, string>; during?: (interrupt: () => void) => void },
  ): Promise<Result>;
  /** Arguments that put a question to the agent of `agent.json`. */
  ask(message: string): string[];
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("../../cli/workflow.mjs", import.meta.url));

/** The directory holds `agent.json`, the same on the demo model as `demo.json`, and `credentials.json`. */
export async function startWorkflowCommand(): Promise<WorkflowCommand> {
  const directory = mkdtempSync(join(tmpdir(), "switchyard-workflow-"));
  const [model, api] = await Promise.all([startOpenaiServer(), startJsonApi()]);
  const write: WorkflowCommand["write"] = (name, content, mode = 0o644) => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(path, mode);
  };
  write("agent.json", agentWorkflow("openai-model", { credential: "key-1", model: "gpt-4o-mini" }));
  write("demo.json", agentWorkflow("demo-model", {}));
  write("credentials.json", { "key-1": { type: "openai", apiKey: model.key, baseUrl: model.baseUrl } }, 0o600);
  return {
    directory,
    model,
    api,
    write,
    run: (args, options = {}) =>
      new Promise((resolve) => {
        const env = { ...process.env, ...options.environment };
        const child = spawn(process.execPath, [script, ...args], { cwd: directory, env });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
        child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
        child.stdin.end(options.stdin ?? "");
        child.on("close", (code) => resolve({ code, stdout, stderr }));
        options.during?.(() => child.kill("SIGINT"));
      }),
    ask: (message) => ["agent.json", "--input", JSON.stringify({ message }), "--credentials", "credentials.json"],
    async stop() {
      await Promise.all([model.close(), api.close()]);
      rmSync(directory, { recursive: true });
    },
  };
}

/** An agent with a calculator, an HTTP tool and a memory on the model of a type. */
export function agentWorkflow(type: string, config: object) {
  return {
    id: "workflow-1",
    name: "Ask with tools",
    nodes: {
      start: { id: "start", type: "chat-trigger", title: "Chat" },
      agent: { id: "agent", type: "ai-agent", title: "Agent" },
      model: { id: "model", type, title: "Model", config },
      calculator: { id: "calculator", type: "calculator-tool", title: "Calculator" },
      web: {
        id: "web",
        type: "http-request-tool",
        title: "Web",
        config: { url: '{{ai("url", "The address", "string")}}' },
      },
      memory: { id: "memory", type: "window-memory", title: "Memory" },
    },
    edges: {
      e1: { id: "e1", from: { node: "start", port: "main" }, to: { node: "agent", port: "main" } },
      e2: { id: "e2", from: { node: "model", port: "model" }, to: { node: "agent", port: "model" } },
      e3: { id: "e3", from: { node: "calculator", port: "tool" }, to: { node: "agent", port: "tools" } },
      e4: { id: "e4", from: { node: "web", port: "tool" }, to: { node: "agent", port: "tools" } },
      e5: { id: "e5", from: { node: "memory", port: "memory" }, to: { node: "agent", port: "memory" } },
    },
  };
}
