import type { Host } from "../../src/engine/host.ts";
import { nobodyApproves } from "../../src/engine/host.ts";
import { isJsonObject, type Json } from "../../src/engine/json.ts";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import { runToEnd } from "../../src/engine/testing/run-to-end.ts";
import { scriptedModel } from "../../src/engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../src/engine/testing/service-node.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { realSleep } from "../../src/engine/testing/real-sleep.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { openMcpSession } from "../../src/nodes/tools/mcp/mcp-session.ts";
import { toolPin } from "../../src/nodes/tools/mcp/tool-pin.ts";
import { agreedTerms, type ToolTerms } from "../../src/nodes/tools/mcp/tool-terms.ts";
import type { Call, Suite, Task } from "./suite.ts";
import { ToolServer } from "./tool-server.ts";

/** Arguments that say something and lead nowhere, as most tools call them. */
export const contentArguments = [
  "subject",
  "body",
  "title",
  "content",
  "description",
  "message",
  "text",
  "note",
  "comment",
  "summary",
];

const place = { url: "https://tools.test/mcp", credential: "" };

/** What a person sets up once for a suite: approved tools, and what is trusted of each. */
interface Settings {
  pins: Record<string, string>;
  terms: Record<string, ToolTerms>;
}

/** A call of a played run, and what became of it. */
export interface PlayedCall extends Call {
  asked: boolean;
  made: boolean;
  /** For which of its arguments it asks. */
  unsaid: string[];
}

/** Who answers questions: somebody who agrees to everything, or nobody. */
export type Answers = "agrees" | "nobody";

/** A suite in a studio: its tools behind MCP, its model a script, all else as in any run. */
export class Studio {
  readonly suite: Suite;
  private readonly settings: Settings;

  private constructor(suite: Suite, settings: Settings) {
    this.suite = suite;
    this.settings = settings;
  }

  /** Connects to the suite's tools and approves them as a careful owner would. */
  static async open(suite: Suite): Promise<Studio> {
    const host = { ...testHost({ mcpFetch: new ToolServer(suite, []).fetch }), sleep: realSleep };
    const session = await openMcpSession(host, place, new AbortController().signal);
    const settings: Settings = { pins: {}, terms: {} };
    for (const tool of session.tools) {
      const known = suite.tools.find(({ name }) => name === tool.name);
      const members = Object.keys(isJsonObject(tool.inputSchema["properties"]) ? tool.inputSchema["properties"] : {});
      const says = members.filter((member) => contentArguments.includes(member));
      const isOwn = known?.recordsOfPerson ?? suite.suite !== "slack";
      settings.pins[tool.name] = toolPin(tool);
      settings.terms[tool.name] = agreedTerms(tool, {
        ...(known?.effect === "read" ? { readOnly: true as const } : { content: says }),
        ...(known?.resultByStrangers === false ? { own: "fields" as const } : isOwn ? { own: "records" as const } : {}),
      });
    }
    await session.close();
    return new Studio(suite, settings);
  }

  tool({ tool: name }: Call): Suite["tools"][number] {
    const found = this.suite.tools.find((one) => one.name === name);
    if (!found) throw new Error(`The suite ${this.suite.suite} has no tool ${name}.`);
    return found;
  }

  /** Plays a task with a model that makes these calls, one after the other. */
  async play(task: Task, calls: readonly Call[], answers: Answers, planted?: Json): Promise<PlayedCall[]> {
    const server = new ToolServer(this.suite, task.calls, planted);
    const approve: Partial<Host> = answers === "nobody" ? { approve: nobodyApproves } : {};
    const host = { ...testHost({ mcpFetch: server.fetch }), sleep: realSleep, ...approve };
    const script = calls.map(({ tool, arguments: input }) => ({ calls: [{ name: `mcp__${tool}`, arguments: input }] }));
    const model = modelNodeOf("script", scriptedModel([...script, { text: "Done." }]));
    const document = buildWorkflow({
      nodes: {
        start: ["chat-trigger"],
        agent: ["ai-agent", { maxIterations: calls.length + 2, repeatedCallLimit: 10 }],
        model: ["script"],
        tools: ["mcp-tool", { url: place.url, ...this.settings }],
      },
      edges: ["start.main -> agent.main", "model.model -> agent.model", "tools.tool -> agent.tools"],
    });
    const run = await runToEnd(document, {
      registry: { ...nodeRegistry, script: model },
      host,
      input: { message: task.prompt, sessionId: "bench" },
    });
    const asked = new Set(run.of("approval-wait").map(({ callId }) => callId));
    const unsaid = new Map(run.of("tool-call-start").map((event) => [event.callId, event.unsaid ?? []]));
    const ends = run.of("tool-call-end");
    if (ends.length !== calls.length)
      throw new Error(
        `${this.suite.suite}/${task.id}: ${ends.length} of ${calls.length} calls. ${run.end.error?.message ?? ""}`,
      );
    return calls.map((call, index) => {
      const end = ends[index];
      return {
        ...call,
        asked: end !== undefined && asked.has(end.callId),
        made: end?.rejected !== true,
        unsaid: (unsaid.get(end?.callId ?? "") ?? []).map(({ path, value }) => `${path.join(".")} ${value}`.trim()),
      };
    });
  }
}
