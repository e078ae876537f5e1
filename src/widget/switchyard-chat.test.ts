import { parseHTML } from "linkedom";
import { expect, it, vi } from "vitest";

it("asks for its looks once in a page that has it already, and again for another chat", async () => {
  const html = '<html><body><switchyard-chat slug="support" label="Chat"></switchyard-chat></body></html>';
  const { document, HTMLElement, customElements } = parseHTML(html);
  vi.stubGlobal("document", document);
  vi.stubGlobal("HTMLElement", HTMLElement);
  vi.stubGlobal("customElements", customElements);
  vi.stubGlobal("HTMLScriptElement", Map);
  vi.stubGlobal(
    "CSSStyleSheet",
    class {
      replaceSync() {}
    },
  );
  vi.stubGlobal("location", new URL("https://studio.example/"));
  vi.stubGlobal("addEventListener", () => {});
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string | URL) => {
    asked.push(String(url));
    return Promise.reject(new Error("There is no server."));
  });
  await import("./switchyard-chat.ts");
  const page = (slug: string) => `https://studio.example/c-api/${slug}/page`;
  expect(asked).toEqual([page("support")]);
  document.querySelector("switchyard-chat")?.setAttribute("slug", "sales");
  expect(asked).toEqual([page("support"), page("sales")]);
  vi.unstubAllGlobals();
});
