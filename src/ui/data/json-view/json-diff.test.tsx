import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { JsonDiff } from "./json-diff.tsx";

const drawn = (before: unknown, after: unknown) =>
  renderToStaticMarkup(<JsonDiff label="Changes" before={before} after={after} />);

describe("JsonDiff", () => {
  it("shows the first of many differences and says how many are left", () => {
    const list = (from: number) => Array.from({ length: 5_000 }, (_, index) => from + index);
    const html = drawn(list(0), list(10_000));
    expect(html.match(/<dt/g)).toHaveLength(100);
    expect(html).toContain("Show 400 of 4,900 more differences");
  });

  it("cuts long texts and draws pictures", () => {
    const [cat, dog] = ["data:image/png;base64,Y2F0", "data:image/png;base64,ZG9n"];
    const html = drawn({ text: "", picture: "" }, { text: "x".repeat(900_000), picture: cat, images: [dog] });
    expect(html.length).toBeLessThan(10_000);
    expect(html).toContain(`<img src="${cat}"`);
    expect(html).toContain(`<img src="${dog}"`);
  });
});
