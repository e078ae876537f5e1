import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import { httpAnswerSchema, responseParts } from "../../doors/http-answer.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const document = (config: JsonObject) =>
  sampleDocument({ start: "manual-trigger", answer: ["respond", config] }, ["start>answer"], nodeRegistry);

const answer = async (config: JsonObject, input: Json = { name: "Ada" }) =>
  (await runToEnd(document(config), { registry: nodeRegistry, host: testHost(), input })).end;

describe("respond", () => {
  it("answers with the input, with JSON, with text or with nothing", async () => {
    expect((await answer({})).output).toEqual({ status: 200, headers: {}, body: { name: "Ada" } });
    expect((await answer({ bodyType: "json", json: { hello: "{{json.name}}", all: "{{json}}" } })).output).toEqual({
      status: 200,
      headers: {},
      body: { hello: "Ada", all: { name: "Ada" } },
    });
    expect((await answer({ bodyType: "text", text: "Hi {{json.name}}", status: 201 })).output).toEqual({
      status: 201,
      headers: {},
      body: "Hi Ada",
    });
    expect((await answer({ bodyType: "none", status: 204 })).output).toEqual({ status: 204, headers: {}, body: null });
  });

  it("takes status and headers from data", async () => {
    const config = { status: "{{json.code}}", headers: { "x-name": "{{json.name}}" }, bodyType: "none" };
    expect((await answer(config, { code: 404, name: "Ada" })).output).toMatchObject({
      status: 404,
      headers: { "x-name": "Ada" },
    });
    expect((await answer(config, { code: 99, name: "Ada" })).error?.code).toBe("invalid_config");
  });

  const refused =
    "Set-Cookie Content-Security-Policy Content-Length Access-Control-Allow-Origin Content-Encoding Link Refresh Location2 Clear-Site-Data Strict-Transport-Security Service-Worker-Allowed X- X-Accel-Redirect x-sendfile X-Sendfile2 X-LIGHTTPD-send-file X-Forwarded-Host X-Frame-Options X-Content-Type-Options x-switchyard-run".split(
      " ",
    );

  it("S74 S76 S93 sets no header but those of the answer, and says before a run and in it what it leaves out", async () => {
    for (const name of refused) {
      const wrong = document({ headers: { [name]: "x", "x-a": "1" } });
      const problems = validateWorkflow(wrong, nodeRegistry);
      expect(problems.map(({ nodeId, severity }) => [nodeId, severity])).toContainEqual(["answer", "warning"]);
      const { events, end } = await runToEnd(wrong, { registry: nodeRegistry, host: testHost(), input: {} });
      expect(end.output).toMatchObject({ headers: { "x-a": "1" } });
      expect(JSON.stringify(end.output)).not.toContain(name);
      expect(events).toContainEqual(
        expect.objectContaining({ type: "warning", nodeId: "answer", message: expect.stringContaining(name) }),
      );
      expect(responseParts({ status: 200, headers: { [name]: "x" }, body: null }).headers).toEqual({});
    }
    for (const headers of [{ "a b": "x" }, { "x-b": "a\r\nb" }] as Record<string, string>[]) {
      const problems = validateWorkflow(document({ headers }), nodeRegistry);
      expect(problems.map(({ nodeId, severity }) => [nodeId, severity])).toContainEqual(["answer", "error"]);
    }
    expect(
      responseParts({ status: 200, headers: { "Set-Cookie": "a=b", "X-A": "1", "x-b": "a\r\nb" }, body: null }),
    ).toEqual({ status: 200, headers: { "x-a": "1" }, body: null });
  });

  it("S93 sets the headers that describe an answer", async () => {
    const headers = Object.fromEntries(
      ["Content-Type", "Content-Disposition", "Location", "Cache-Control", "ETag", "Last-Modified", "Retry-After"]
        .concat("x-request-id", "X-Accelerated")
        .map((name) => [name, "1"]),
    );
    const { output } = await answer({ headers, bodyType: "none" });
    expect(output).toEqual({ status: 200, headers, body: null });
    expect(Object.keys(responseParts(httpAnswerSchema.parse(output)).headers)).toHaveLength(9);
  });

  it("is sent as text or JSON, unless a header says what it is", () => {
    const parts = (body: Json, headers = {}, status = 200) =>
      responseParts(httpAnswerSchema.parse({ status, headers, body }));
    expect(parts("hi")).toMatchObject({ headers: { "content-type": "text/plain; charset=utf-8" }, body: "hi" });
    expect(parts([1])).toMatchObject({ headers: { "content-type": "application/json; charset=utf-8" }, body: "[1]" });
    expect(parts("<p>hi", { "Content-Type": "text/html" })).toMatchObject({ headers: { "content-type": "text/html" } });
    expect(parts("hi", {}, 204).body).toBeNull();
    expect(httpAnswerSchema.safeParse({ status: 101, headers: {}, body: null }).success).toBe(false);
  });
});
