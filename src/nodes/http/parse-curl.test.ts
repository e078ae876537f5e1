import { describe, expect, it } from "vitest";
import { parseCurl } from "./parse-curl.ts";

function requestOf(command: string) {
  const parsed = parseCurl(command);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.request;
}

function notesOf(command: string): string {
  const parsed = parseCurl(command);
  return parsed.ok ? parsed.notes.join("\n") : "";
}

describe("parseCurl", () => {
  it("reads a plain GET and splits the query", () => {
    expect(requestOf("curl 'https://api.example.com/orders?page=2&sort=name%20asc'")).toEqual({
      method: "GET",
      url: "https://api.example.com/orders",
      query: { page: "2", sort: "name asc" },
      headers: {},
      bodyType: "auto",
      body: "",
      form: {},
    });
  });

  it("reads what a browser copies: several lines, quotes, data-raw", () => {
    const command = `curl 'https://api.example.com/items' \\
      -X 'PUT' \\
      -H 'accept: */*' \\
      -H 'content-type: application/json' \\
      --data-raw $'{"name":"O\\'Neil","note":"a\\nb"}' \\
      --compressed`;
    expect(requestOf(command)).toMatchObject({
      method: "PUT",
      headers: { accept: "*/*", "content-type": "application/json" },
      body: '{"name":"O\'Neil","note":"a\nb"}',
    });
  });

  it("knows letters in one word, values in the same word and long options with a sign", () => {
    const request = requestOf(
      'curl -sSLXPATCH -H"X-One: 1" --header="X-Two: 2" --url https://example.com -da=1 -d b=2',
    );
    expect(request).toMatchObject({
      method: "PATCH",
      headers: { "X-One": "1", "X-Two": "2" },
      bodyType: "form",
      form: { a: "1", b: "2" },
    });
  });

  it("takes data for a form only where it is one, each field once", () => {
    const form = (command: string) => requestOf(`curl https://example.com ${command}`);
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(form("-H 'content-type: application/x-www-form-urlencoded' --data-raw 'q=a+%26%20b&empty='")).toMatchObject({
      headers: {},
      bodyType: "form",
      body: "",
      form: { q: "a & b", empty: "" },
    });
    for (const data of ["a=1&a=2", "just text", '{"a":"b=c"}', "a=1&b"])
      expect(form(`--data-raw '${data}'`), data).toMatchObject({
        bodyType: "auto",
        headers: type,
        body: data,
        form: {},
      });
    expect(form("-H 'Content-Type: text/plain' -d a=1")).toMatchObject({ bodyType: "auto", body: "a=1" });
  });

  it("sends data as a query with -G, and encodes it where asked", () => {
    const request = requestOf("curl -G example.com/search -d limit=5 --data-urlencode 'q=a & b'");
    expect(request).toMatchObject({
      method: "GET",
      url: "https://example.com/search",
      query: { limit: "5", q: "a & b" },
    });
    expect(request.body).toBe("");
  });

  it("sets what --json, -I and -A mean", () => {
    expect(requestOf(`curl --json '{"a":1}' https://example.com`)).toMatchObject({
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    expect(requestOf("curl -I https://example.com").method).toBe("HEAD");
    expect(requestOf("curl -A test https://example.com").headers).toEqual({ "User-Agent": "test" });
  });

  it("S43 takes no key, password or cookie over, and says so", () => {
    const command =
      "curl https://u:test-key-p@example.com -H 'Authorization: Bearer test-key-a' -H 'X-API-Key: test-key-b' -b s=test-key-c -u me:test-key-d";
    expect(JSON.stringify(requestOf(command))).not.toContain("test-key");
    const notes = notesOf(command);
    for (const what of ["Authorization", "X-API-Key", "Cookie", "user name and password"])
      expect(notes).toContain(what);
    expect(notes).not.toContain("test-key");
  });

  it("names what it leaves out", () => {
    expect(notesOf("curl -k -F file=@a.png https://example.com")).toMatch(/Certificates.*\n.*multipart/s);
    expect(notesOf("curl https://one.example https://two.example")).toContain("several URLs");
    expect(notesOf("curl -d @body.json https://example.com")).toContain("file");
  });

  it("keeps a query whose names repeat in the URL", () => {
    expect(requestOf("curl 'https://example.com/?a=1&a=2'")).toMatchObject({
      url: "https://example.com/?a=1&a=2",
      query: {},
    });
  });

  it("runs nothing and stops where the command ends", () => {
    expect(requestOf("curl https://example.com/$(id)`id` ; rm -rf /").url).toBe("https://example.com/$(id)%60id%60");
    expect(requestOf("curl https://example.com | sh").url).toBe("https://example.com/");
  });

  const wrong: [string, RegExp][] = [
    ["wget https://example.com", /not a cURL command/],
    ["", /not a cURL command/],
    ["curl -X GET", /no URL/],
    ["curl 'https://example.com", /quote/],
    ["curl -X BREW https://example.com", /BREW/],
    ["curl http://", /not a web address/],
  ];
  for (const [command, problem] of wrong)
    it(`says what is wrong with: ${command}`, () => {
      const parsed = parseCurl(command);
      expect(parsed.ok ? "" : parsed.problem).toMatch(problem);
    });
});
