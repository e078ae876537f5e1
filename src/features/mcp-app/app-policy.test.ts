import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appHosts, hostsText } from "../../nodes/tools/mcp/app-hosts.ts";
import { linkToOpen, messageToSend } from "./app-question.tsx";
import { appPolicy, sealedDocument } from "./app-policy.ts";
import { presentHosts } from "./present-hosts.ts";

const asked = (...domains: string[]) => appHosts({ csp: { connectDomains: domains, resourceDomains: domains } });

describe("S99 the hosts of an interface", () => {
  it.each([
    "*",
    "https:",
    "https://*",
    "https://*.com",
    "http://api.test",
    "https://a.test/path",
    "https://a.test; script-src *",
    "https://a.test\nscript-src *",
    "https://a.test 'unsafe-hashes'",
    "https://user@a.test",
    'https://a.test"><script>',
    "data:",
    "'self'",
    "https://localhost",
    "ftp://a.test",
  ])("leave out %j", (domain) => {
    expect(asked(domain)).toEqual({ asked: { connect: [], resource: [] }, unusable: [domain] });
  });

  it.each(["https://a.test", "wss://a.test:8443", "https://*.cdn.test", "http://localhost:3000", "https://A.test/"])(
    "take %j",
    (domain) => {
      const host = domain.toLowerCase().replace(/\/$/, "");
      expect(asked(domain)).toEqual({ asked: { connect: [host], resource: [host] }, unusable: [] });
    },
  );

  it("never break out of their directive", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (domains) => {
        const policy = appPolicy(asked(...domains).asked);
        expect(policy.split("; ")).toHaveLength(15);
        expect(policy).not.toMatch(/["<>\n]/);
        expect(policy).toContain(
          "frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; webrtc 'block'; require-trusted-types-for 'script'; trusted-types default",
        );
      }),
    );
  });

  it("are those that the node's settings still accept", () => {
    const uri = "ui://a";
    const hosts = { connect: ["https://a.test", "https://b.test"], resource: ["https://a.test"] };
    const settings = (text: string, more = {}) => ({ appHosts: { [uri]: text }, ...more });
    const none = { connect: [], resource: [] };
    expect(presentHosts({ uri, hosts }, settings(hostsText(hosts)))).toEqual(hosts);
    const fewer = presentHosts({ uri, hosts }, settings("connect https://a.test"));
    expect(fewer).toEqual({ connect: ["https://a.test"], resource: [] });
    expect(presentHosts({ uri, hosts }, settings(hostsText(hosts), { showApps: false }))).toEqual(none);
    expect(presentHosts({ uri, hosts }, {})).toEqual(none);
    expect(presentHosts({ uri, hosts }, undefined)).toEqual(none);
  });

  it("stand before everything that a document says", () => {
    const sealed = sealedDocument("<!doctype html><script>1</script>", { connect: [], resource: [] });
    expect(sealed.indexOf("Content-Security-Policy")).toBeLessThan(sealed.indexOf("<script>1"));
    expect(sealed).toContain("connect-src 'none'");
  });

  it("have no frames, which could do what the document cannot", () => {
    const sealed = sealedDocument("<p>1<IFRAME srcdoc='a'></iframe><iframes>", { connect: [], resource: [] });
    expect(sealed).toMatch(/<p>1<x-IFRAME srcdoc='a'><\/iframe>/);
  });
});

describe("S99 what an interface asks a person for", () => {
  it.each([
    "javascript:alert(1)",
    "data:text/html,a",
    "file:///etc/passwd",
    "blob:https://a.test/1",
    "https://u:p@a.test",
    "/w/1",
    "https://a.test/" + "x".repeat(4_000),
  ])("is no link: %s", (url) => expect(linkToOpen(url)).toBeUndefined());

  it("is a link of the web, or a message that can be read", () => {
    expect(linkToOpen("https://a.test/b?c=d#e")).toBe("https://a.test/b?c=d#e");
    expect(messageToSend("  Hello ")).toBe("Hello");
    expect(messageToSend(" ")).toBeUndefined();
    expect(messageToSend("x".repeat(10_001))).toBeUndefined();
  });
});
