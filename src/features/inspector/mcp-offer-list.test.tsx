import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NoOffers, OfferList } from "./mcp-offer-list.tsx";

const pages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    name: `Page ${index}`,
    detail: `file:///page-${index}`,
    description: "",
    action: null,
  }));

const list = (count: number) => renderToStaticMarkup(<OfferList what="resources" offers={pages(count)} />);

describe("what a server has besides tools", () => {
  it("is shown as it is where it is little", () => {
    const html = list(3);
    expect(html).toContain("file:///page-2");
    expect(html).not.toContain("Search resources");
    expect(html).not.toContain("Show more");
  });

  it("is searched and shown in pages where it is much", () => {
    const html = list(45);
    expect(html).toContain("Search resources");
    expect(html.match(/<li/g)).toHaveLength(20);
    expect(html).toContain("20 of 45 resources");
  });

  it("S50 shows hidden characters of its texts", () => {
    const offer = { id: "a", name: "Note\u200b", detail: "file:///a\u202e", description: "Read.\u001b", action: null };
    const html = renderToStaticMarkup(<OfferList what="resources" offers={[offer]} />);
    for (const mark of ["Note⟨U+200B⟩", "file:///a⟨U+202E⟩", "Read.⟨U+001B⟩"]) expect(html).toContain(mark);
  });

  it("is said to be nothing, unknown, or not told, with the reason", () => {
    const said = (props: Partial<Parameters<typeof NoOffers>[0]>) =>
      renderToStaticMarkup(<NoOffers what="prompts" isListed count={0} problem={undefined} {...props} />);
    expect(said({})).toContain("The server has no prompts.");
    expect(said({ count: 2 })).toBe("");
    expect(said({ isListed: false })).toContain("to choose from its prompts");
    const problem = { code: "timeout" as const, message: "It took too long.", hint: "Try again.", retryable: false };
    const html = said({ problem });
    expect(html).toContain("The server did not list its prompts: It took too long.");
    expect(html).toContain("Try again.");
  });
});
