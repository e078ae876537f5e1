import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { icons } from "../../ui/icons/icons.ts";
import { catalogue } from "./catalogue.ts";

const types = (search: string) =>
  catalogue(nodeRegistry, search).flatMap(({ entries }) => entries.map(({ type }) => type));

describe("the catalogue", () => {
  it("lists every node type once, but for those that only imports make", () => {
    const offered = Object.values(nodeRegistry).filter(({ hidden }) => hidden !== true);
    expect(types("").toSorted()).toEqual(offered.map(({ type }) => type).toSorted());
    expect(types("placeholder")).toEqual([]);
  });

  it("finds by title, type and category, every word", () => {
    expect(types("calc")[0]).toBe("calculator-tool");
    expect(types("memory window")[0]).toBe("window-memory");
    expect(types("no such thing")).toEqual([]);
  });

  it("has an icon for every type that is there with the first cards", () => {
    const names = Object.values(nodeRegistry).map(({ icon }) => icon);
    expect(names.filter((name) => !Object.hasOwn(icons, name))).toEqual([]);
  });
});
