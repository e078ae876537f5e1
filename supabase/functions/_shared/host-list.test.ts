import { expect, test } from "vitest";
import { listsHost, parseHostList } from "./host-list.ts";

const lists = (list: string, url: string): boolean =>
  listsHost(parseHostList(list, { wildcards: true }).list, new URL(url));

test("an entry with a port opens that port only, one without opens all", () => {
  expect(lists("127.0.0.1:9000", "http://127.0.0.1:9000/x")).toBe(true);
  expect(lists("127.0.0.1:9000", "http://127.0.0.1:9001/x")).toBe(false);
  expect(lists("db.example.com", "https://db.example.com:8443/")).toBe(true);
  expect(lists("db.example.com:443", "https://db.example.com/")).toBe(true);
  expect(lists("[::1]:8080", "http://[::1]:8080/")).toBe(true);
  expect(lists(" a.example.com , B.Example.com:80 ", "http://b.example.com/")).toBe(true);
});

test("hosts match whole and as written", () => {
  expect(lists("example.com", "https://evil-example.com/")).toBe(false);
  expect(lists("example.com", "https://example.com.evil.net/")).toBe(false);
  expect(lists("example.com", "https://sub.example.com/")).toBe(false);
  expect(lists("127.0.0.1", "http://localhost/")).toBe(false);
  expect(lists("localhost", "http://127.0.0.1/")).toBe(false);
  expect(lists("*.example.com", "https://sub.example.com/")).toBe(true);
  expect(lists("*.example.com", "https://example.com/")).toBe(false);
});

test("what is no host is named, and wildcards count only where they are wanted", () => {
  const wrong = ["http://a.com", "a.com/path", "a b", "a.com:0", "a.com:99999", "user@a.com", "*"];
  expect(parseHostList(wrong).rejected).toEqual(wrong);
  const odd = ["a.com,b.com", ".", "..", "a..b", ".a.com", "a.com;b", "a(b).com"];
  expect(parseHostList(odd).rejected).toEqual(odd);
  expect(parseHostList(["a_b.com", "a.com.", "127.1", "[::1]"]).rejected).toEqual([]);
  expect(parseHostList("*.example.com").rejected).toEqual(["*.example.com"]);
  expect(parseHostList("*.com", { wildcards: true }).rejected).toEqual(["*.com"]);
  expect(parseHostList("").list).toEqual([]);
});
