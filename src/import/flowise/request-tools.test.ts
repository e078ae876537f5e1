import { describe, expect, it } from "vitest";
import { requestTool } from "./request-tools.ts";

describe("a request tool of Flowise", () => {
  it("asks the model for what its schema describes, in the path and in the query", () => {
    const schema = {
      id: { type: "string", in: "path", required: true, description: "Which event" },
      limit: { type: "number", in: "query", description: "How many" },
    };
    const config = {
      requestsGetUrl: "<p>https://api.test/events/:id/guests</p>",
      requestsGetHeaders: '{"X-Team": "a{{b"}',
      requestsGetQueryParamsSchema: JSON.stringify(schema),
      requestsGetMaxOutputLength: "2000",
    };
    expect(requestTool("requestsGet", config)).toEqual({
      url: 'https://api.test/events/{{ai("id", "Which event", "string")}}/guests',
      method: "GET",
      headers: { "X-Team": 'a{{"{{"}}b' },
      query: { limit: '{{ai("limit", "How many", "string", "")}}' },
      leaveOutEmpty: true,
      maxResultChars: 2_000,
    });
  });

  it("puts an argument of the path without a place at its end", () => {
    const schema = JSON.stringify({ id: { in: "path", required: true } });
    const made = requestTool("requestsDelete", {
      requestsDeleteUrl: "https://api.test/events/",
      requestsDeleteQueryParamsSchema: schema,
    });
    expect(made).toMatchObject({ method: "DELETE", url: 'https://api.test/events/{{ai("id", "id", "string")}}' });
  });

  it("sends what is fixed beside what the model gives, which counts where both are there", () => {
    const made = requestTool("requestsPost", {
      requestsPostUrl: "https://api.test/events",
      requestPostBody: '{"kind": "party", "seats": 4}',
      requestsPostBodySchema: JSON.stringify({ seats: { type: "number" }, name: { required: true } }),
    });
    expect(made?.body).toBe(
      '{\n  "kind": "party",\n  "seats": {{ai("seats", "seats", "number", 4)}},\n  "name": {{ai("name", "name", "string")}}\n}',
    );
  });

  it.each<[string, Record<string, string>]>([
    ["no address", {}],
    ["a body that is no JSON", { requestsPostUrl: "https://api.test", requestPostBody: "{name" }],
    ["headers that are no object", { requestsPostUrl: "https://api.test", requestsPostHeaders: "X-A: 1" }],
  ])("is none with %s", (_, config) => {
    expect(requestTool("requestsPost", config)).toBeUndefined();
  });
});
