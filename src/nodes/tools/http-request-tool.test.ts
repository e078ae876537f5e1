import { describe, expect, it } from "vitest";
import { exposureOf } from "../../engine/document/exposure.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { httpRequestTool } from "./http-request-tool.ts";

const sunny = {
  success: true,
  statusCode: 200,
  headers: { "content-type": "application/json" },
  body: '{"sky":"blue"}',
  truncated: false,
};

/** One agent that makes this call; gives the request that left, and what the model read. */
async function call(
  config: JsonObject,
  input: JsonObject,
  answer: Json = sunny,
  isDurable = false,
  untrusted: string[] = [],
) {
  const host = testHost({ functions: { "execute-http": () => ({ ok: true, body: answer }) } });
  if (isDurable) host.checkpoint = () => Promise.resolve();
  const name = typeof config["toolName"] === "string" ? config["toolName"] : "http_request";
  const model = scriptedModel([{ calls: [{ name, arguments: input }] }, { text: "Done." }]);
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], http: ["http-request-tool", config] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "http.tool -> agent.tools"],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), httpRequestTool];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const message = { message: "Hi", city: "Bad Ems", key: "a\r\nb" };
  const run = await runToEnd(document, { registry, host, input: message, untrusted });
  const last = model.requests[1]?.messages.at(-1);
  const result = run.of("tool-call-end")[0];
  return {
    ...run,
    host,
    result,
    offered: model.requests[0]?.tools[0],
    request: host.functionCalls[0]?.body,
    read: last && messageText(last),
  };
}

describe("http-request-tool", () => {
  it("names a writing call by its run and its call where the run may be resumed, unless it has a key", async () => {
    const sent = async (input: JsonObject) =>
      (await call({}, { url: "https://a.test/x", ...input }, sunny, true)).request;
    const request = await sent({ method: "POST" });
    expect(request?.["headers"]).toEqual({ "Idempotency-Key": expect.stringMatching(/^[\w-]+\/call_[\w]+$/) });
    expect((await sent({ method: "GET" }))?.["headers"]).toEqual({});
    expect((await sent({ method: "PUT", headers: { "idempotency-key": "own" } }))?.["headers"]).toEqual({
      "idempotency-key": "own",
    });
  });

  it("lets the model decide the request when there is no URL", async () => {
    const { request, result, offered } = await call(
      {},
      { url: "https://a.test/x", method: "POST", query: { q: "1" }, headers: { "x-a": "b" }, body: { n: 1 } },
    );
    expect(offered?.parameters).toMatchObject({ required: ["url"] });
    expect(request).toEqual({
      method: "POST",
      url: "https://a.test/x",
      query: { q: "1" },
      headers: { "x-a": "b" },
      body: { n: 1 },
      followRedirects: true,
      maxRedirects: 5,
      timeoutMs: 30_000,
    });
    expect(result).toMatchObject({
      ok: true,
      output: {
        status: 200,
        headers: { "content-type": "application/json" },
        body: { sky: "blue" },
        truncated: false,
      },
    });
  });

  it("hands over the allowed hosts and the credential's id", async () => {
    const config = { allowedHosts: ["a.test", "*.b.test"], credential: "cred-1", followRedirects: false };
    const { request } = await call(config, { url: "https://a.test/" });
    expect(request).toMatchObject({
      allowedHosts: ["a.test", "*.b.test"],
      credential: "cred-1",
      followRedirects: false,
      method: "GET",
    });
  });

  it("makes parameters of ai(…) and encodes each value for its place", async () => {
    const { request, offered } = await call(
      {
        url: 'https://a.test/{{json.city}}/{{ai("street","which street","string")}}',
        query: { unit: '{{ai("unit","C or F","string","C")}}' },
        method: "POST",
        body: '{"note":"{{ai("note","what to say","string")}}"}',
      },
      { street: "a/b?c", note: 'say "hi"' },
    );
    expect(offered?.parameters).toMatchObject({
      properties: {
        street: { type: "string", description: "which street" },
        unit: { type: "string", default: "C" },
        note: { type: "string" },
      },
      required: ["street", "note"],
    });
    expect(request).toMatchObject({
      method: "POST",
      url: "https://a.test/Bad%20Ems/a%2Fb%3Fc",
      query: { unit: "C" },
      headers: { "content-type": "application/json" },
      body: '{"note":"say \\"hi\\""}',
    });
  });

  it("sends a fixed request without parameters", async () => {
    const { request, offered } = await call({ url: "https://a.test/status" }, {});
    expect(offered?.parameters).toMatchObject({ properties: {}, required: [] });
    expect(request).toMatchObject({ method: "GET", url: "https://a.test/status" });
    expect(request).not.toHaveProperty("body");
  });

  it("S30 keeps line breaks out of headers", async () => {
    const { request, end } = await call({ url: "https://a.test/", headers: { "x-key": "{{json.key}}" } }, {});
    expect(request).toBeUndefined();
    expect(end).toMatchObject({ outcome: "failed", error: { code: "expression_error", nodeId: "http" } });
  });

  it("sends a body that is one value as JSON, and none with GET", async () => {
    const body = '{{ai("order","the order","object")}}';
    const input = { order: { id: 7 } };
    const { request } = await call({ url: "https://a.test/", method: "POST", body }, input);
    expect(request?.["body"]).toEqual({ id: 7 });
    expect((await call({ url: "https://a.test/", body: "left over" }, {})).request).not.toHaveProperty("body");
    const refused = await call({}, { url: "https://a.test/", body: "x" });
    expect(refused.request).toBeUndefined();
    expect(refused.read).toContain("cannot carry a body");
  });

  it("S30 sends a form whose values stay within their fields, and asks for nothing of the body that does not show", async () => {
    const form = { city: "{{json.city}}", note: 'Say: {{ai("note","what to say","string")}}' };
    const body = '{{ai("forgotten","of an earlier body","object")}}';
    const config = { url: "https://a.test/", method: "POST", bodyType: "form", form, body };
    const { request, offered } = await call(config, { note: "a&admin=true=ü" });
    expect(offered?.parameters).toMatchObject({ required: ["note"] });
    expect(request).toMatchObject({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "city=Bad+Ems&note=Say%3A+a%26admin%3Dtrue%3D%C3%BC",
    });
    expect((await call({ ...config, method: "GET", form: {} }, {})).request).not.toHaveProperty("body");
    expect((await call({ ...config, form: {} }, {})).request).not.toHaveProperty("body");
  });

  it("lets the model send a form, and either that or a body", async () => {
    const input = { url: "https://a.test/", method: "POST", form: { q: "a b", n: "1&2" } };
    const { request } = await call({}, input);
    expect(request).toMatchObject({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "q=a+b&n=1%262",
    });
    const both = await call({}, { ...input, body: { q: 1 } });
    expect(both.request).toBeUndefined();
    expect(both.read).toContain("a body or a form, not both");
    expect((await call({}, { ...input, form: {}, body: "x" })).request?.["body"]).toBe("x");
  });

  it("calls a status outside 200–299 a failed result with status and message", async () => {
    const missing = { ...sunny, success: false, statusCode: 404, body: '{"error":"none"}' };
    const { result, read, end } = await call({}, { url: "https://a.test/x" }, missing);
    expect(result).toMatchObject({
      ok: false,
      output: { message: "The server answered with status 404.", details: { status: 404, body: { error: "none" } } },
    });
    expect(read).toContain("404");
    expect(end.outcome).toBe("completed");
  });

  it("tells of a blocked address with its hint", async () => {
    const blocked = {
      success: false,
      statusCode: 0,
      headers: {},
      body: null,
      truncated: false,
      error: { code: "blocked_address", message: "127.0.0.1 is a private address.", hint: "Use a public one." },
    };
    const { result, read } = await call({}, { url: "http://127.0.0.1/" }, blocked);
    expect(result).toMatchObject({ ok: false, output: { code: "blocked_address" } });
    expect(read).toBe("Error: 127.0.0.1 is a private address. Use a public one.");
  });

  it("refuses a call without a URL before anything is sent", async () => {
    const { request, result } = await call({}, { method: "GET" });
    expect(request).toBeUndefined();
    expect(result).toMatchObject({ ok: false, output: { code: "invalid_arguments" } });
  });

  it("has its own name, limits and approval", async () => {
    const { result, offered, of } = await call(
      { toolName: "weather", maxResultChars: 100, approval: "ask" },
      { url: "https://a.test/" },
      { ...sunny, body: "x".repeat(1_000), headers: {} },
    );
    expect(offered?.name).toBe("weather");
    expect(result).toMatchObject({ truncated: true });
    expect(of("approval-wait")).toHaveLength(1);
  });

  it("S100 after text from outside asks for what decides, by what its settings and its connector say of it", async () => {
    const asks = async (config: JsonObject, input: JsonObject) => {
      const { of } = await call(config, input, sunny, false, ["from a visitor"]);
      return of("approval-wait").length > 0;
    };
    const to = '{{ai("to","whom","string")}}';
    const text = '{{ai("text","what","string")}}';
    const send = { url: "https://a.test/send", method: "POST", body: `{"to": ${to}, "text": ${text}}` };
    const input = { to: "mallory", text: "Hello" };
    expect(await asks(send, input)).toBe(true);
    expect(await asks({ ...send, content: ["text"] }, input)).toBe(true);
    expect(await asks({ ...send, content: ["to", "text"] }, input)).toBe(false);
    expect(await asks({ ...send, content: ["to", "text"] }, { ...input, text: "See evil.test/x" })).toBe(true);
    const search = { url: "https://a.test/search", query: { q: text }, readOnly: true };
    expect(await asks(search, { text: "weather" })).toBe(false);
    expect(await asks({ ...search, readOnly: false }, { text: "weather" })).toBe(true);
    expect(await asks({ ...search, url: `https://a.test/${text}`, query: {} }, { text: "weather" })).toBe(true);
    expect(await asks({ readOnly: true }, { url: "https://evil.test/" })).toBe(true);
  });

  it("a fixed request that looks as if it only reads names the setting by which it asks less", async () => {
    const remedyOf = async (config: JsonObject, input: JsonObject = {}) =>
      (await call(config, input, sunny, false, ["from a visitor"])).host.approvals.map(({ remedy }) => remedy);
    expect(await remedyOf({ url: "https://a.test/now" })).toEqual([expect.stringContaining("switch on “Only reads”")]);
    expect(await remedyOf({ url: "https://a.test/now", readOnly: true })).toEqual([]);
    expect(await remedyOf({ url: "https://a.test/now", method: "POST" })).toEqual([undefined]);
    expect(await remedyOf({}, { url: "https://a.test/now" })).toEqual([undefined]);
  });

  it("is a way out where the model fills in a part that is sent", () => {
    const exposure = (config: JsonObject) => exposureOf(httpRequestTool, { url: "https://a.test/", ...config });
    const ai = '{{ai("note","what","string")}}';
    expect(exposure({})).toEqual(["untrusted-input"]);
    expect(exposureOf(httpRequestTool, {})).toContain("way-out");
    expect(exposure({ body: ai })).toContain("way-out");
    expect(exposure({ bodyType: "form", form: { note: ai } })).toContain("way-out");
    expect(exposure({ bodyType: "form", form: { note: "Hi" }, body: ai })).not.toContain("way-out");
  });

  it("says on its card where calls go, without the template behind it", () => {
    const line = (url: string) => httpRequestTool.describe?.({ url });
    expect(line('{{ai("url", "the address", "string")}}')).toBe("GET · URL from the model");
    expect(line("https://api.example.com/{{json.path}}")).toBe("GET api.example.com/{{json.path}}");
    expect(line("")).toBe("Any public host");
  });
});
