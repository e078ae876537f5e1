import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../engine/json.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import type { FileValue } from "../../engine/file/file.ts";
import { httpRequest } from "../flow/http-request.ts";
import { sendPages } from "./send-pages.ts";
import type { HttpRequest } from "./sent-request.ts";

interface Page {
  body: Json;
  headers?: Record<string, string>;
  status?: number;
}

/** Sends a request whose pages these are, with these settings; gives what came of it and what was asked for. */
async function send(pages: readonly Page[], settings: JsonObject, request: Partial<HttpRequest> = {}) {
  const asked: JsonObject[] = [];
  const host = testHost({
    functions: {
      "execute-http": (body) => {
        asked.push(body);
        const { body: found, headers = {}, status = 200 } = pages[asked.length - 1] ?? { body: [] };
        const type = { "content-type": "application/json" };
        return {
          ok: true,
          body: {
            success: status < 300,
            statusCode: status,
            headers: { ...type, ...headers },
            body: JSON.stringify(found),
          },
        };
      },
    },
  });
  const files = { add: (file: FileValue) => file };
  const sender = { host, files, signal: new AbortController().signal, log: () => undefined };
  const first: HttpRequest = { method: "GET", url: "https://a.test/list", ...request };
  const result = await sendPages(sender, first, httpRequest.config.parse(settings));
  return { result, asked };
}

describe("pages of an answer", () => {
  it("by number, until one is empty", async () => {
    const { result, asked } = await send([{ body: [1, 2] }, { body: [3] }, { body: [] }], {
      paging: "page",
      pageParameter: "page",
      maxPages: 9,
    });
    expect(result).toMatchObject({ ok: true, answer: { body: [1, 2, 3], pages: 3, more: false } });
    expect(asked.map(({ query }) => query)).toEqual([undefined, { page: "2" }, { page: "3" }]);
  });

  it("by how many to skip", async () => {
    const settings = { paging: "offset", pageParameter: "offset", itemsPath: "rows" };
    const { asked } = await send(
      [{ body: { rows: [1, 2] } }, { body: { rows: [3] } }, { body: { rows: [] } }],
      settings,
    );
    expect(asked.map(({ query }) => query)).toEqual([undefined, { offset: "2" }, { offset: "3" }]);
  });

  it("by a cursor, to the limit of pages, and says that there are more", async () => {
    const page = (cursor: string) => ({ body: { items: [cursor], meta: { next: cursor } } });
    const settings = {
      paging: "cursor",
      pageParameter: "after",
      nextPath: "meta.next",
      itemsPath: "items",
      maxPages: 2,
    };
    const { result, asked } = await send([page("a"), page("b"), page("c")], settings, { query: { limit: "1" } });
    expect(result).toMatchObject({ ok: true, answer: { body: ["a", "b"], pages: 2, more: true } });
    expect(asked[1]?.["query"]).toEqual({ limit: "1", after: "a" });
  });

  it("by a cursor within the body, in JSON or in text, each page with a key of its own", async () => {
    const settings = { paging: "cursor", pageParameter: "variables.after", nextPath: "-1.id" };
    for (const body of [{ variables: { first: 1 } }, '{"variables":{"first":1}}']) {
      const request = { method: "POST" as const, body, headers: { "Idempotency-Key": "k" } };
      const { asked } = await send([{ body: [{ id: "x" }] }, { body: [] }], settings, request);
      expect(asked[1]).toMatchObject({
        body: { variables: { first: 1, after: "x" } },
        headers: { "Idempotency-Key": "k/2" },
      });
    }
  });

  it("by the Link header, or by an address in the answer", async () => {
    const link = '<https://a.test/list?page=2>; title="a, b"; rel="next", <https://a.test/list?page=9>; rel="last"';
    const byHeader = await send([{ body: [1], headers: { Link: link } }, { body: [2] }], { paging: "link" });
    expect(byHeader.result).toMatchObject({ ok: true, answer: { body: [1, 2], pages: 2 } });
    expect(byHeader.asked[1]).toMatchObject({ url: "https://a.test/list?page=2", query: {} });
    const settings = { paging: "link", nextPath: "next", itemsPath: "all" };
    const byBody = await send([{ body: { all: [1], next: "/list?b" } }, { body: { all: [], next: null } }], settings);
    expect(byBody.asked[1]?.["url"]).toBe("https://a.test/list?b");
  });

  it("by an address under a name with dots in it", async () => {
    const pages: Page[] = [
      { body: { value: [1, 2], "@odata.nextLink": "https://a.test/list?$skip=2" } },
      { body: { value: [3] } },
    ];
    const settings = { paging: "link", nextPath: "@odata.nextLink", itemsPath: "value", maxPages: 5 };
    const { result, asked } = await send(pages, settings);
    expect(result).toMatchObject({ ok: true, answer: { body: [1, 2, 3], pages: 2, more: false } });
    expect(asked.map(({ url }) => url)).toEqual(["https://a.test/list", "https://a.test/list?$skip=2"]);
  });

  it("S4 never at another server, whatever the answer says", async () => {
    const settings = { paging: "link", nextPath: "next", itemsPath: "all" };
    const { result, asked } = await send([{ body: { all: [1], next: "https://b.test/steal" } }], settings);
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("https://b.test") } });
    expect(asked).toHaveLength(1);
  });

  it("end where a server gives the same cursor or address again", async () => {
    const same = { body: { items: [1], next: "x" } };
    const cursor = { paging: "cursor", pageParameter: "after", nextPath: "next", itemsPath: "items", maxPages: 50 };
    expect((await send([same, same, same], cursor)).asked).toHaveLength(2);
    const link = { paging: "link", nextPath: "next", itemsPath: "items", maxPages: 50 };
    const again = { body: { items: [1], next: "https://a.test/list" } };
    expect((await send([again, again], link)).asked).toHaveLength(1);
    const circle = [..."xyx"].map((next) => ({ body: { items: [1], next } }));
    expect((await send(circle, cursor)).asked).toHaveLength(3);
  });

  it("go on behind an empty one that names the next", async () => {
    const pages = [{ body: { items: [], next: "https://a.test/list?2" } }, { body: { items: [1], next: null } }];
    const link = { paging: "link", nextPath: "next", itemsPath: "items", maxPages: 50 };
    expect((await send(pages, link)).result).toMatchObject({ ok: true, answer: { body: [1], pages: 2, more: false } });
  });

  it("that fail give the failure, and those that are no list say where none is", async () => {
    const settings = { paging: "page", pageParameter: "page", itemsPath: "data" };
    const failed = await send([{ body: { data: [1] } }, { body: {}, status: 429 }], settings);
    expect(failed.result).toMatchObject({ ok: true, answer: { status: 429 } });
    const none = await send([{ body: { data: "x" } }], settings);
    expect(none.result).toMatchObject({ ok: false, error: { message: expect.stringContaining('no list at "data"') } });
    const inherited = await send([{ body: {} }], { ...settings, itemsPath: "constructor" });
    expect(inherited.result).toMatchObject({ ok: false });
  });
});

describe("an error within an answer of status 200", () => {
  const told = (body: Json) => send([{ body }], { errorPath: "error" });

  it("is a failure", async () => {
    const { result } = await told({ ok: false, error: "channel_not_found" });
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("channel_not_found") } });
  });

  it.each<Json>([{ ok: true }, { error: null }, { error: "" }, { error: [] }, { error: false }])(
    "is none in %j",
    async (body) => {
      expect((await told(body)).result).toMatchObject({ ok: true });
    },
  );
});
