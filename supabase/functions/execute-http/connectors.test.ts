import { z } from "zod/mini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/engine/json.ts";
import { buildWorkflow } from "../../../src/engine/testing/build-workflow.ts";
import { realSleep } from "../../../src/engine/testing/real-sleep.ts";
import { runToEnd } from "../../../src/engine/testing/run-to-end.ts";
import { scriptedModel } from "../../../src/engine/testing/scripted-model.ts";
import { startNode } from "../../../src/engine/testing/sample-nodes.ts";
import { modelNodeOf } from "../../../src/engine/testing/service-node.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { validateWorkflow } from "../../../src/engine/document/validate.ts";
import { aiAgent } from "../../../src/nodes/agent/ai-agent.ts";
import { connectorNode } from "../../../src/nodes/connectors/connector-node.ts";
import { connectors } from "../../../src/nodes/connectors/index.ts";
import { httpRequest } from "../../../src/nodes/flow/http-request.ts";
import { httpRequestTool } from "../../../src/nodes/tools/http-request-tool.ts";
import { type Credential, parseCredential } from "../_shared/credential-types.ts";
import { success } from "../_shared/failure.ts";
import { parseHostList } from "../_shared/host-list.ts";
import { type LoopbackServer, startLoopbackServer } from "../_shared/testing/loopback-server.ts";
import { executeHttp } from "./execute-http.ts";
import { documentedRequests } from "./testing/documented-requests.ts";

const secret = "test-key-1234567890";

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
});

afterAll(() => server.stop());

type Connector = (typeof connectors)[number];

/** The credential that the connector asks for, as a person would make it. */
function credentialOf({ credential }: Connector): Credential {
  const type = credential?.type ?? "http-bearer";
  if (type === "oauth2") {
    const { tokenUrl = "" } = credential?.fields ?? {};
    const grant = {
      accessToken: secret,
      issuer: new URL(tokenUrl).origin,
      tokenEndpoint: tokenUrl,
      clientId: "studio",
    };
    const parsed = parseCredential(type, { ...credential?.fields, clientId: "studio", grant });
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }
  const secrets = { "http-basic": "password", "http-bearer": "token", "http-header": "value", "http-api-key": "value" };
  const parsed = parseCredential(type, {
    ...(type === "http-basic" ? { username: "me" } : {}),
    ...credential?.fields,
    [secrets[type]]: secret,
  });
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}

/** The HTTP function itself, which may call the recording server alone. */
function hostFor(credential: Credential) {
  const host = testHost({
    functions: {
      "execute-http": async (body) => {
        const result = await executeHttp(body, {
          policy: { allowHosts: parseHostList(server.host).list },
          findCredential: async () =>
            success({ type: credential.type, allowedHosts: [server.host], open: async () => success(credential) }),
        });
        if (!result.ok) throw new Error(result.error.message);
        return { ok: true, body: z.json().parse(result.value) };
      },
    },
  });
  // Its clock runs ahead of a real server.
  host.sleep = realSleep;
  return host;
}

/** The settings of a person: a credential, and their own names in the address, at the recording server. */
function filled(config: JsonObject): JsonObject {
  const url = String(config["url"]).replace(/<[^<>]*>/, "demo");
  return { ...config, url: url.replace("https://", `http://${server.host}/`), credential: "one", paging: "none" };
}

/** The request that came, as it would have come to the service. */
function arrived() {
  const { method, url, headers, body } = server.seen.at(-1) ?? { method: "", url: "", headers: {}, body: "" };
  return { line: `${method} https:/${url}`, headers, body };
}

function sameLine(line: string): string {
  const [method = "", address = ""] = line.split(" ");
  const url = new URL(address);
  url.searchParams.sort();
  return `${method} ${url.href}`;
}

function bodyOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text === "" ? undefined : text;
  return JSON.parse(text);
}

async function callTool(connector: Connector, config: JsonObject, given: JsonObject) {
  const name = String(config["toolName"]);
  const model = scriptedModel([{ calls: [{ name, arguments: given }] }, { text: "Done." }]);
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], http: ["http-request-tool", filled(config)] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "http.tool -> agent.tools"],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), httpRequestTool];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const run = await runToEnd(document, { registry, host: hostFor(credentialOf(connector)), input: { message: "Hi" } });
  return run.of("tool-call-end")[0];
}

async function runStep(connector: Connector, config: JsonObject, input: JsonObject) {
  const document = buildWorkflow({
    nodes: { start: ["start"], http: ["http-request", filled(config)] },
    edges: ["start.main -> http.main"],
  });
  const registry = Object.fromEntries([startNode, httpRequest].map((node) => [node.type, node]));
  return (await runToEnd(document, { registry, host: hostFor(credentialOf(connector)), input })).end;
}

const operations = connectors.flatMap((connector) =>
  connector.operations.map((operation) => [`${connector.id}/${operation.id}`, connector, operation] as const),
);

test("every operation has its documented request beside it, and no other has", () => {
  expect(operations.map(([name]) => name).toSorted()).toEqual(Object.keys(documentedRequests).toSorted());
});

describe.each(operations)("%s", (name, connector, operation) => {
  const { given, line, body } = documentedRequests[name] ?? { given: {}, line: "", body: undefined };

  test("lacks nothing but the credential and the person's own names", () => {
    for (const use of ["tool", "step"] as const) {
      const { type, config } = connectorNode(connector, operation, use);
      const edges = use === "tool" ? [] : ["start.main -> http.main"];
      const document = buildWorkflow({ nodes: { start: ["start"], http: [type, config] }, edges });
      const registry = Object.fromEntries([startNode, httpRequest, httpRequestTool].map((node) => [node.type, node]));
      const problems = validateWorkflow(document, registry).filter(
        ({ severity, nodeId }) => severity === "error" && nodeId === "http",
      );
      const fields = new Set(problems.map(({ field }) => field));
      const needs = connector.credential !== undefined && !connector.credential.optional ? ["credential"] : [];
      expect([...fields].toSorted()).toEqual([...needs, ...(String(config["url"]).includes("<") ? ["url"] : [])]);
    }
  });

  test("sends what the service documents", async () => {
    const { config } = connectorNode(connector, operation, "tool");
    const result = await callTool(connector, config, given);
    expect(result?.output ?? result).toMatchObject({ status: 200 });
    const request = arrived();
    expect(sameLine(request.line)).toBe(sameLine(line));
    expect(bodyOf(request.body)).toEqual(body);
    const fixed = { ...connector.headers, ...operation.headers };
    for (const [header, value] of Object.entries(fixed)) expect(request.headers[header.toLowerCase()]).toBe(value);
    if (typeof body === "object") expect(request.headers["content-type"]).toBe("application/json");
    expect(JSON.stringify(request)).toContain(
      credentialOf(connector).type === "http-basic" ? btoa(`me:${secret}`) : secret,
    );
    // A model may leave out what is optional, and a step begins with the same request.
    const required = operation.parameters.filter((one) => one.required).map((one) => one.name);
    const least = Object.fromEntries(Object.entries(given).filter(([key]) => required.includes(key)));
    await callTool(connector, config, least);
    const asTool = arrived();
    const end = await runStep(connector, connectorNode(connector, operation, "step").config, least);
    expect(end).toMatchObject({ outcome: "completed" });
    expect(arrived()).toEqual(asTool);
  });

  test("asks before it writes once something from outside has been read", () => {
    const { config } = connectorNode(connector, operation, "tool");
    const parsed = httpRequestTool.config.parse(config);
    expect(parsed.approval).toBe("ask-after-untrusted");
    expect(operation.writes || !["PUT", "PATCH", "DELETE"].includes(operation.method)).toBe(true);
  });
});
