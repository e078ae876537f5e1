import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConnector } from "./connector.ts";
import { connectorNode } from "./connector-node.ts";
import { connectorChoices, connectors } from "./index.ts";

const plain = {
  id: "shop",
  title: "Shop",
  summary: "Orders of the shop.",
  documentation: "https://shop.example.com/docs",
  baseUrl: "https://api.shop.example.com",
  operations: [
    {
      id: "get-order",
      title: "Get an order",
      summary: "Gives an order.",
      method: "GET",
      path: "/orders/{id}",
      parameters: [{ name: "id", in: "path", required: true, help: "Its number." }],
      writes: false,
    },
  ],
};

/** The connector with its operation changed. */
const withOperation = (change: object) => ({ ...plain, operations: [{ ...plain.operations[0], ...change }] });

describe("the connectors", () => {
  it("are all the files of the folder, each of the name that it says", () => {
    const files = readdirSync(new URL("presets/", import.meta.url)).map((file) => file.replace(/\.json$/, ""));
    expect(connectors.map(({ id }) => id).toSorted()).toEqual(files.toSorted());
    for (const id of files) {
      const value: unknown = JSON.parse(readFileSync(new URL(`presets/${id}.json`, import.meta.url), "utf8"));
      expect(readConnector(`${id}.json`, value).id).toBe(id);
    }
  });

  it("give each tool a name of its own", () => {
    const names = connectors.flatMap((connector) =>
      connector.operations.map((operation) => connectorNode(connector, operation, "tool").config["toolName"]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it("S97 ask before they write again after a crash, unless a second time changes nothing more", () => {
    const made = (id: string) => connectorChoices.find((choice) => choice.id === id)?.make("step").config["afterCrash"];
    expect(made("slack/send-message")).toBe("ask");
    expect(made("gmail/send-message")).toBe("ask");
    expect(made("gmail/change-labels")).toBe("repeat");
    expect(made("tavily/search")).toBe("repeat");
    expect(made("slack/list-channels")).toBeUndefined();
    const wrong = connectors.flatMap(({ operations }) => operations.filter((one) => one.repeatable && !one.writes));
    expect(wrong).toEqual([]);
  });

  it("say what they need and read only where they say so", () => {
    const stripe = connectors.find(({ id }) => id === "stripe");
    expect(stripe?.operations.every(({ writes, method }) => !writes && method === "GET")).toBe(true);
  });
});

describe("a connector that cannot be read says which file it is and what is wrong:", () => {
  it("nothing is wrong with a plain one", () => {
    expect(readConnector("shop.json", plain).operations[0]?.parameters[0]?.type).toBe("string");
  });

  it.each<[string, unknown, RegExp]>([
    ["a member that nobody knows", { ...plain, colour: "red" }, /shop\.json.*colour/],
    ["an address without https", { ...plain, baseUrl: "http://api.shop.example.com" }, /baseUrl: Begin it with https/],
    ["a query in the path", withOperation({ path: "/orders?a=1" }), /a query belongs in parameters/],
    ["a place without a parameter", withOperation({ path: "/orders/{id}/{item}" }), /\{item\} stands somewhere/],
    ["a parameter without a place", withOperation({ path: "/orders" }), /id has no place in the path/],
    ["an unknown method", withOperation({ method: "FETCH" }), /method/],
    ["a body with GET", withOperation({ body: { a: 1 } }), /GET request cannot carry a body/],
    ["pages of what writes", withOperation({ writes: true, paging: { kind: "link" } }), /cannot have pages/],
    ["a cursor that stands nowhere", withOperation({ paging: { kind: "cursor", parameter: "c" } }), /needs "next"/],
    ["two of one name", { ...plain, operations: [plain.operations[0], plain.operations[0]] }, /called get-order/],
    ["no operation", { ...plain, operations: [] }, /operations/],
    ["text", "shop", /the file/],
  ])("%s", (_name, value, problem) => {
    expect(() => readConnector("shop.json", value)).toThrow(problem);
  });
});
