import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { parseCurl } from "../../nodes/http/parse-curl.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { importForeign } from "../index.ts";
import { readText } from "../read-text.ts";
import { readImported } from "../testing/read-imported.ts";
import { readOperations } from "./import-openapi.ts";

const shop = `openapi: 3.1.0
info: {title: Shop, description: Orders and customers}
servers: [{url: "https://{region}.example.com/v1/", variables: {region: {default: eu}}}]
security: [{key: []}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
  parameters:
    Id: {name: id, in: path, required: true, description: The order's number, schema: {type: integer}}
  schemas:
    Order: {type: object, required: [item], properties: {item: {type: string, description: What}, self: {$ref: "#/components/schemas/Order"}}}
paths:
  /orders/{id}:
    parameters: [{$ref: "#/components/parameters/Id"}]
    get:
      operationId: getOrder
      summary: Finds an order
      parameters:
        - {name: view, in: query, required: true, schema: {type: string, enum: [short, long]}}
        - {name: limit, in: query, schema: {type: integer, default: 10}}
        - {name: trace, in: query, schema: {type: string}}
  /orders:
    post:
      summary: Makes an order
      security: []
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
`;

describe("an OpenAPI document", () => {
  const { document, report, node, edges, entry, format } = readImported(shop, nodeRegistry);

  it("becomes an agent with a tool for each operation", () => {
    expect(format).toBe("openapi");
    expect(report.nodes.total).toBe(2);
    expect(edges).toContain("getOrder.tool > Agent.tools");
    expect(node("getOrder")?.config).toMatchObject({
      toolName: "getOrder",
      toolDescription: "Finds an order",
      url: `https://eu.example.com/v1/orders/{{ai("id", "The order's number", "integer")}}`,
      query: {
        view: '{{ai("view", "view (one of: short, long)", "string")}}',
        limit: '{{ai("limit", "limit", "integer", 10)}}',
      },
    });
    expect(node("POST /orders")?.config).toMatchObject({
      method: "POST",
      body: expect.stringContaining("item (string)"),
    });
  });

  it("names credentials and what was left out", () => {
    expect(entry("getOrder")).toMatchObject({
      outcome: "needsCredential",
      note: "Left out, since they are optional: trace. Choose a credential (API key, header X-Key).",
    });
    expect(entry("POST /orders")).toMatchObject({ outcome: "mapped" });
  });

  it("is valid once it is reviewed", () => {
    const wrong = validateWorkflow(document, nodeRegistry).filter(
      ({ severity, message }) => severity === "error" && !message.includes("waits for your review"),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["of version 2", { swagger: "2.0", paths: { "/a": { get: {} } } }, "OpenAPI 3"],
    ["without operations", { openapi: "3.0.0", paths: {} }, "no operation"],
  ])("%s is refused in words", (_, source, words) => {
    const made = importForeign(JSON.stringify(source), { registry: nodeRegistry, newId: () => "id" });
    expect(made).toMatchObject({ ok: false, format: "openapi", problem: expect.stringContaining(words) });
  });

  it("reads bodies of allOf and types with null", () => {
    const text = { type: ["string", "null"], description: "A note" };
    const schemas = {
      Base: { type: "object", required: ["id"], properties: { id: { type: "integer" }, note: text } },
      Circle: { allOf: [{ $ref: "#/components/schemas/Circle" }, { $ref: "#/components/schemas/Circle" }] },
      Order: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          { required: ["total"], properties: { total: { anyOf: [{ type: "number" }, { type: "null" }] } } },
          { allOf: [{ properties: { state: { allOf: [{ type: "boolean" }], description: "Whether it is paid" } } }] },
          { $ref: "#/components/schemas/Circle" },
        ],
      },
    };
    const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
    const order = { $ref: "#/components/schemas/Order" };
    const list = { type: ["array", "null"], items: order };
    const kind = {
      name: "kind",
      in: "query",
      required: true,
      schema: { oneOf: [{ type: "integer" }, { type: "null" }] },
    };
    const paths = {
      "/order": { post: { operationId: "one", parameters: [kind], ...body(order) } },
      "/orders": { post: { operationId: "many", ...body(list) } },
    };
    const { node } = readImported({ openapi: "3.1.0", components: { schemas }, paths }, nodeRegistry);
    const words =
      "id (integer); note (string, optional): A note; total (number); state (boolean, optional): Whether it is paid";
    expect(node("one")?.config).toMatchObject({
      query: { kind: '{{ai("kind", "kind", "integer")}}' },
      body: `{{ai("body", "The JSON to send. ${words}", "object")}}`,
    });
    expect(node("many")?.config).toMatchObject({ body: '{{ai("body", "The JSON to send.", "array")}}' });
  });

  it("takes null slots, references in circles and names of prototypes, and at most forty tools", () => {
    const paths = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `/p${index}`,
        { get: { parameters: [null, { $ref: "#/a" }] }, post: null },
      ]),
    );
    const made = readImported({ openapi: "3.0.0", a: { $ref: "#/a" }, paths: { ...paths, "/n": null } }, nodeRegistry);
    expect(made.report.nodes.total).toBe(50);
    expect(made.edges.filter((edge) => edge.endsWith("Agent.tools"))).toHaveLength(40);
  });
});

describe("a cURL command", () => {
  const read = (text: string) =>
    importForeign(text, { registry: nodeRegistry, newId: () => "id", readCurl: parseCurl });

  it("becomes a request, without its key", () => {
    const made = read(
      `curl -X POST https://api.example.com/v1/items -H 'Authorization: Bearer test-key-123456789' -H 'X-A: 1' -d '{"a":1}'`,
    );
    if (!made.ok) throw new Error(made.problem);
    const [first] = made.workflows;
    const request = Object.values(first?.document.nodes ?? {}).find(({ type }) => type === "http-request");
    expect(request?.config).toMatchObject({
      method: "POST",
      url: "https://api.example.com/v1/items",
      headers: { "X-A": "1" },
    });
    expect(JSON.stringify(made)).not.toContain("test-key-123456789");
    expect(first?.report).toMatchObject({ format: "curl", nodes: { total: 1 } });
  });

  it("says in words what is wrong", () => {
    expect(read("curl 'https://example.com")).toMatchObject({
      ok: false,
      format: "curl",
      problem: expect.stringContaining("quote"),
    });
    expect(importForeign("curl https://example.com", { registry: nodeRegistry, newId: () => "id" })).toMatchObject({
      ok: false,
    });
  });
});

describe("operations to choose from", () => {
  const read = (text: string) => {
    const found = readText(text);
    return readOperations(found.ok ? JSON.parse(JSON.stringify(found.value)) : {});
  };

  it("come with what they need and what is left out of them", () => {
    const found = read(shop);
    expect(found.ok && found.title).toBe("Shop");
    expect(found.ok && found.operations.map(({ id, title, needs, note }) => ({ id, title, needs, note }))).toEqual([
      {
        id: "GET /orders/{id}",
        title: "getOrder",
        needs: "a credential (API key, header X-Key)",
        note: "Left out, since they are optional: trace.",
      },
      { id: "POST /orders", title: "Makes an order", needs: "", note: "" },
    ]);
    expect(found.ok && found.operations[1]?.config).toMatchObject({ method: "POST", toolName: "post__orders" });
  });

  it.each([true, false])(
    "S97 are repeated after a crash where the API takes an Idempotency-Key, required: %s",
    (must) => {
      const header = `parameters: [{name: Idempotency-Key, in: header, required: ${must}, schema: {type: string}}]`;
      const found = read(shop.replace("      security: []", `      security: []\n      ${header}`));
      expect(
        found.ok && found.operations.map(({ note, config }) => [note, config["afterCrash"], config["headers"]]),
      ).toEqual([
        ["Left out, since they are optional: trace.", undefined, {}],
        ["", "repeat", {}],
      ]);
    },
  );

  it.each([
    ["swagger: '2.0'\npaths: {}", /Only OpenAPI 3/],
    ["openapi: 3.0.0\npaths: {}", /describes no operation/],
  ])("are missing with a reason: %s", (text, problem) => {
    expect(read(text)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe("the address of an operation", () => {
  const urlOf = (paths: object, more: object = {}) => {
    const source = { openapi: "3.1.0", info: { title: "T" }, servers: [{ url: "https://a.test" }], paths, ...more };
    const { document } = readImported(JSON.stringify(source), nodeRegistry);
    return Object.values(document.nodes).find(({ type }) => type === "http-request-tool")?.config.url;
  };
  const inPath = (name: string, description: string) => ({ name, in: "path", required: true, description });

  it("keeps dollar signs and braces in the words of its parameters", () => {
    const parameters = [inPath("a", "costs $$ or $& {b}"), inPath("b", "second")];
    expect(urlOf({ "/x/{a}/{b}": { get: { parameters } } })).toBe(
      'https://a.test/x/{{ai("a", "costs $$ or $& {b}", "string")}}/{{ai("b", "second", "string")}}',
    );
  });

  it("is that of the operation's servers, its path's, or the document's", () => {
    const servers = (url: string) => [{ url }];
    expect(urlOf({ "/x": { get: {} } })).toBe("https://a.test/x");
    expect(urlOf({ "/x": { servers: servers("https://b.test"), get: {} } })).toBe("https://b.test/x");
    const own = { servers: servers("https://c.test") };
    expect(urlOf({ "/x": { servers: servers("https://b.test"), get: own } })).toBe("https://c.test/x");
  });
});
