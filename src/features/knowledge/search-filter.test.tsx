import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SearchFilter } from "./search-filter.tsx";
import { SearchHits } from "./search-hits.tsx";

const nothing = () => undefined;
const noHits = (among: string) =>
  renderToStaticMarkup(<SearchHits hits={[]} minScore={0.7} among={among} onSearchAll={nothing} onOpen={nothing} />);

describe("the filter of a test search", () => {
  it("is closed, and its line says what is chosen", () => {
    const line = (pairs: Record<string, string>, where = "") => {
      const html = renderToStaticMarkup(<SearchFilter filter={{ pairs, where }} fields={[]} onChange={nothing} />);
      expect(html).toMatch(/^<details(?! open)/);
      return (/<summary[^>]*>(.*?)<\/summary>/.exec(html)?.[1] ?? "").replaceAll(/<[^>]+>/g, "");
    };
    expect(line({ document: "shop.md", page: " 3 " })).toBe(
      "Only passages with document = &quot;shop.md&quot; and page = 3",
    );
    expect(line({ page: "3" }, "year > 2025")).toBe("Only passages with page = 3 and year &gt; 2025");
    expect(line({ document: "", page: "" })).toBe("Only passages with …");
  });

  it("stands in the empty result, with a way out of it", () => {
    expect(noHits("page = 3")).toContain("No passage with page = 3 has");
    expect(noHits("page = 3")).toContain("Search all passages</");
    expect(noHits("")).not.toContain("Search all passages");
  });
});
