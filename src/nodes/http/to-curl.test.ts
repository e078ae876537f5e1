import { describe, expect, it } from "vitest";
import { parseCurl } from "./parse-curl.ts";
import { readSentLine, sentLine, type SentRequest } from "./sent-request.ts";
import { toCurl } from "./to-curl.ts";

const get: SentRequest = { method: "GET", url: "https://api.test/orders", query: {}, headers: {}, signed: false };

function readBack(request: SentRequest) {
  const parsed = parseCurl(toCurl(request));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.request;
}

describe("toCurl", () => {
  it("gives a command that means the same request", () => {
    const headers = { "content-type": "application/json", "x-note": "it's $HOME; `id`" };
    const request: SentRequest = { ...get, method: "PUT", query: { q: "a & b" }, headers, body: { name: "O'Neil" } };
    expect(readBack(request)).toEqual({
      method: "PUT",
      url: "https://api.test/orders",
      query: { q: "a & b" },
      headers,
      bodyType: "auto",
      body: '{"name":"O\'Neil"}',
      form: {},
    });
    expect(readBack({ ...get, method: "HEAD" }).method).toBe("HEAD");
  });

  it("adds a query before the fragment and after one that is there", () => {
    expect(toCurl({ ...get, url: "https://a.test/?a=1#top", query: { b: "2" } })).toContain(
      "'https://a.test/?a=1&b=2#top'",
    );
  });

  it("says that a body is JSON where no header does", () => {
    expect(readBack({ ...get, method: "POST", body: [1] }).headers).toEqual({ "content-type": "application/json" });
  });
});

describe("sentLine", () => {
  it("S43 keeps the request without its credential, and is read back", () => {
    const [message, data] = sentLine({ ...get, credential: "cred-1", headers: { a: "b" }, body: "x" }, "call-1");
    expect(message).toBe("GET https://api.test/orders");
    expect(JSON.stringify(data)).not.toContain("cred-1");
    expect(readSentLine(data)).toMatchObject({
      callId: "call-1",
      request: { signed: true, headers: { a: "b" }, body: "x" },
    });
    expect(readSentLine({ other: 1 })).toBeNull();
    expect(readSentLine(undefined)).toBeNull();
  });
});
