import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { buildWorkflow } from "../testing/build-workflow.ts";
import { exposedPaths, toolsThatAsk } from "./door-exposure.ts";

const orders = { toolName: "orders", url: "https://orders.example/open", credential: "c1" };
const mail = {
  toolName: "mail",
  method: "POST",
  url: "https://mail.example/send",
  body: '{{ai("to","whom","string")}}',
};

type Nodes = Record<string, [string, JsonObject?]>;
const agents: Nodes = {
  chat: ["chat-trigger"],
  hook: ["webhook-trigger"],
  reader: ["ai-agent"],
  model: ["demo-model"],
  orders: ["http-request-tool", orders],
  writer: ["ai-agent"],
  mail: ["http-request-tool", { ...mail, approval: "never" }],
};
const edges = ["chat.main -> reader.main", "model.model -> reader.model", "orders.tool -> reader.tools"];
const writing = ["reader.main -> writer.main", "model.model -> writer.model", "mail.tool -> writer.tools"];

const documentOf = (nodes: Nodes, wires: string[]) => buildWorkflow({ nodes: { ...agents, ...nodes }, edges: wires });
const pathsOf = (nodes: Nodes, wires: string[], door: "chat" | "hook" | "api" = "chat") =>
  exposedPaths(documentOf(nodes, wires), nodeRegistry, door).map(({ trigger, privateData, wayOut }) => [
    trigger.title,
    privateData.title,
    wayOut.title,
  ]);

describe("S90 what callers of a door can get out", () => {
  it("names the trigger, the private data and the way out, of one agent and across agents", () => {
    expect(pathsOf({}, [...edges, ...writing])).toEqual([["chat", "orders", "mail"]]);
    expect(pathsOf({}, [...edges, "mail.tool -> reader.tools"])).toEqual([["chat", "orders", "mail"]]);
    const helping = ["writer.tool -> reader.tools", "model.model -> writer.model", "mail.tool -> writer.tools"];
    expect(pathsOf({ writer: ["ai-agent", { toolName: "writer" }] }, [...edges, ...helping])).toEqual([
      ["chat", "orders", "mail"],
    ]);
  });

  it("also where steps of the flow read or send", () => {
    const fetch: Nodes = { fetch: ["http-request", { url: "https://crm.example/all", credential: "c1" }] };
    const reading = ["chat.main -> fetch.main", "fetch.main -> writer.main", ...writing.slice(1)];
    expect(pathsOf(fetch, reading)).toEqual([["chat", "fetch", "mail"]]);
    const post = (body: string): Nodes => ({
      post: ["http-request", { method: "POST", url: "https://mail.example/send", body }],
    });
    expect(pathsOf(post("{{json.response}}"), [...edges, "reader.main -> post.main"])).toEqual([
      ["chat", "orders", "post"],
    ]);
    expect(pathsOf(post("ping"), [...edges, "reader.main -> post.main"])).toEqual([]);
  });

  it("is quiet where what sends asks first, is turned off, comes before the data or is not reached by the door", () => {
    for (const approval of ["ask", "ask-after-untrusted"]) {
      expect(pathsOf({ mail: ["http-request-tool", { ...mail, approval }] }, [...edges, ...writing])).toEqual([]);
    }
    expect(pathsOf({ mail: ["http-request-tool", mail] }, [...edges, ...writing])).toEqual([]);
    const before = ["chat.main -> writer.main", ...writing.slice(1), "writer.main -> reader.main", ...edges.slice(1)];
    expect(pathsOf({}, before)).toEqual([]);
    expect(pathsOf({}, [...edges, ...writing], "hook")).toEqual([]);
    const asked = (port: string) => [
      "reader.main -> person.main",
      `person.${port} -> writer.main`,
      ...writing.slice(1),
    ];
    expect(pathsOf({ person: ["approval"] }, [...edges, ...asked("approved")])).toEqual([]);
    expect(pathsOf({ person: ["approval"] }, [...edges, ...asked("declined")])).toHaveLength(1);
    const off = documentOf({}, [...edges, ...writing]);
    const tool = off.nodes["mail"];
    if (tool) tool.disabled = true;
    expect(exposedPaths(off, nodeRegistry, "chat")).toEqual([]);
  });

  it("counts every trigger for programs, which choose one by their input", () => {
    expect(pathsOf({}, [...edges, ...writing], "api")).toEqual([["chat", "orders", "mail"]]);
  });

  it("lists the tools that will ask", () => {
    const asking = documentOf({ mail: ["http-request-tool", mail], idle: ["http-request-tool", mail] }, [
      ...edges,
      ...writing,
    ]);
    expect(toolsThatAsk(asking, nodeRegistry).map(({ id }) => id)).toEqual(["orders", "mail"]);
  });
});
