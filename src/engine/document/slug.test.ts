import { describe, expect, it } from "vitest";
import { sampleDocument } from "../testing/sample-nodes.ts";
import { nodeSlugs, slugify } from "./slug.ts";

describe("slugs", () => {
  it("are identifiers made from the title", () => {
    expect(slugify("Ask the agent!")).toBe("ask_the_agent");
    expect(slugify("Größe prüfen")).toBe("gro_e_prufen");
    expect(slugify("2nd step")).toBe("n_2nd_step");
    expect(slugify("日本")).toBe("node");
    expect(slugify("JSON")).toBe("json_node");
    expect(slugify("Constructor")).toBe("constructor_node");
  });

  it("are unique within a document", () => {
    const document = sampleDocument({ a: "step", b: "step", c: "step" }, []);
    for (const node of Object.values(document.nodes)) node.title = "Same";
    expect([...nodeSlugs(document).values()]).toEqual(["same", "same_2", "same_3"]);
  });
});
