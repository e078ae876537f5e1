import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCredentials } from "../../../../cli/headless/credentials-file.ts";
import { createNodeHost } from "../../../../cli/headless/node-host.ts";
import {
  type ReferenceServer,
  startReferenceServer,
} from "../../../../supabase/functions/_shared/testing/reference-mcp-server.ts";
import { parseHostList } from "../../../../supabase/functions/_shared/host-list.ts";
import { validateWorkflow } from "../../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { Host } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { runToEnd } from "../../../engine/testing/run-to-end.ts";
import { openMcpSession } from "../../../nodes/tools/mcp/mcp-session.ts";
import { toolPin } from "../../../nodes/tools/mcp/tool-pin.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { templates, type WorkflowTemplate } from "./index.ts";

/** What a template that needs something from outside is given here: servers of this test. */
interface Outside {
  page: string;
  host: Host;
  mcp: ReferenceServer;
}

let page: Server;
let outside: Outside;

beforeAll(async () => {
  page = createServer((_request, response) => response.end("The oldest switchyard stands in Hamm."));
  page.listen(0, "127.0.0.1");
  await once(page, "listening");
  const { port } = page.address() as AddressInfo;
  const mcp = await startReferenceServer({ allows: () => true });
  outside = { page: `http://127.0.0.1:${port}/`, host: hostFor([`127.0.0.1:${port}`, mcp.host]), mcp };
});
afterAll(async () => {
  page.close();
  await outside.mcp.stop();
});

function hostFor(allowHosts: string[]): Host {
  const workflows = { load: () => Promise.reject(new Error("No template runs another workflow.")) };
  return createNodeHost({
    credentials: noCredentials,
    policy: { allowHosts: parseHostList(allowHosts).list },
    approve: true,
    workflows,
  });
}

/** What a person fills in before these can run, and what they then ask. */
const preparations: Record<string, (document: WorkflowDocument) => Promise<JsonObject>> = {
  "read-the-web": async () => ({ message: `What does ${outside.page} say?` }),
  "mcp-assistant": async ({ nodes }) => {
    const connection = { url: outside.mcp.url, credential: "" };
    const session = await openMcpSession(outside.host, connection, new AbortController().signal);
    await session.close();
    const echo = session.tools.find(({ name }) => name === "echo");
    if (!echo || !nodes["mcp"]) throw new Error("The server has no echo, or the template no server.");
    nodes["mcp"].config = { url: connection.url, pins: { echo: await toolPin(echo) } };
    return { message: 'Use mcp__echo with "switchyard"' };
  },
};

async function prepared(template: WorkflowTemplate): Promise<{ document: WorkflowDocument; input: JsonObject }> {
  const document = template.build("00000000-0000-4000-8000-000000000001");
  const input: JsonObject = template.example === undefined ? {} : { message: template.example };
  return { document, input: (await preparations[template.id]?.(document)) ?? input };
}

/** Which tools each calls, and what its output holds. */
const expected: Record<string, { tools: string[]; says: string }> = {
  "ask-with-tools": { tools: ["calculator"], says: "60" },
  "long-conversation": { tools: [], says: "Robin" },
  "plan-and-reflect": { tools: ["calculator"], says: "607" },
  "two-agents": { tools: ["accountant", "calculator"], says: "471.2" },
  "route-questions": { tools: ["calculator"], says: "267" },
  "approve-refunds": { tools: ["issue_refund"], says: "R-1001" },
  "guarded-assistant": { tools: [], says: "[email]" },
  "read-the-web": { tools: ["http_get"], says: "Hamm" },
  "mcp-assistant": { tools: ["mcp__echo"], says: "Echo: Use" },
  "code-tools": { tools: ["text_facts"], says: "Switchyard" },
  "enrich-list": { tools: [], says: '"count":3' },
  "extract-json": { tools: [], says: '"amount":248.5' },
  "weekly-report": { tools: [], says: "Sales of the week" },
};

/** Those of other files' tests, as channels are: they need a collection, a database or a service. */
const elsewhere = new Set(["blank", "support-with-knowledge", "database-assistant"]);

const isHere = ({ id, category }: WorkflowTemplate) => !elsewhere.has(id) && category !== "channels";

describe.each(templates.filter(isHere))("the template $title", (template) => {
  it("runs to the end on the demo model, and its agents answer", async () => {
    const { document, input } = await prepared(template);
    expect(validateWorkflow(document, nodeRegistry).filter(({ severity }) => severity === "error")).toEqual([]);
    const run = await runToEnd(document, { registry: nodeRegistry, host: outside.host, input });
    expect(run.end).toMatchObject({ outcome: "completed" });
    expect(run.of("model-response").filter(({ message }) => message.parts.length === 0)).toEqual([]);
    expect(run.of("node-error")).toEqual([]);
    expect(run.of("tool-call-end").filter(({ ok }) => !ok)).toEqual([]);
    const { tools, says } = expected[template.id] ?? { tools: [], says: "" };
    expect(run.of("tool-call-start").map(({ toolName }) => toolName)).toEqual(tools);
    expect(JSON.stringify(run.end.output)).toContain(says);
  });

  it("says in a note what to try, unless the chat does", () => {
    const notes = Object.values(template.build("d").nodes).filter(({ type }) => type === "sticky-note");
    expect(notes).toHaveLength(template.id === "ask-with-tools" ? 0 : 1);
  });
});
