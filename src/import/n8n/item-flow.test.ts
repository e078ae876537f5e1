import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";
import { implicitGlobals } from "./implicit-globals.ts";
import { returnsMany } from "./returned-items.ts";

type Part = [type: string, parameters?: object, more?: object];
type Way = [from: string, to: string, output?: number, input?: number];

/** A workflow of n8n that starts with these nodes, each under its own name. */
function workflow(parts: Record<string, Part>, ways: readonly Way[]) {
  const connections: Record<string, { main: { node: string; type: string; index: number }[][] }> = {};
  for (const [from, to, output = 0, input = 0] of ways) {
    const { main } = (connections[from] ??= { main: [[], [], []] });
    main[output]?.push({ node: to, type: "main", index: input });
  }
  const nodes = Object.entries(parts).map(([name, [type, parameters = {}, more = {}]], index) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion: 1,
    position: [index * 200, 0],
    parameters,
    ...more,
  }));
  return { nodes, connections };
}

const start: Part = ["manualTrigger"];
const people: Part = [
  "code",
  { jsCode: "return [{ name: 'Ann', age: 41 }, { name: 'Bo', age: 17 }, { name: 'Cy', age: 29 }];" },
  { typeVersion: 2 },
];
const adults = {
  conditions: {
    conditions: [{ leftValue: "={{ $json.age }}", rightValue: 18, operator: { type: "number", operation: "gte" } }],
  },
};
const greeting: Part = [
  "set",
  { assignments: { assignments: [{ name: "text", value: "=Hello {{ $json.name }}", type: "string" }] } },
  { typeVersion: 3.4 },
];
const openSandbox = loadOnce(() => loadQuickJs(32 * 1024 * 1024));

async function outputOf(source: object): Promise<Json> {
  const { document: imported } = readImported(source, nodeRegistry);
  const nodes = Object.entries(imported.nodes).map(([id, { unreviewed: _reviewed, ...node }]) => [id, node]);
  const document: WorkflowDocument = { ...imported, nodes: Object.fromEntries(nodes) };
  expect(validateWorkflow(document, nodeRegistry).filter(({ severity }) => severity === "error")).toEqual([]);
  const host = {
    ...testHost({ runCode: async (request) => (await runCode(await openSandbox(), request)).result }),
    sleep: realSleep,
  };
  const { end } = await runToEnd(document, { registry: nodeRegistry, host, input: {} });
  if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
  return end.output ?? null;
}

describe("n8n's lists of items", () => {
  it("a step runs once for each, and what takes all of them follows on the end of the loop", async () => {
    const source = workflow(
      { Start: start, People: people, Greet: greeting, All: ["aggregate", { aggregate: "aggregateAllItemData" }] },
      [
        ["Start", "People"],
        ["People", "Greet"],
        ["Greet", "All"],
      ],
    );
    expect(readImported(source, nodeRegistry).edges).toContain("For each: Greet.done > All.main");
    expect(await outputOf(source)).toEqual({
      data: [{ text: "Hello Ann" }, { text: "Hello Bo" }, { text: "Hello Cy" }],
    });
  });

  it("a condition sends each item its own way, and only those of a way reach its end", async () => {
    const source = workflow(
      {
        Start: start,
        People: people,
        Adult: ["if", adults, { typeVersion: 2 }],
        Greet: greeting,
        Sorted: ["sort", { sortFieldsUi: { sortField: [{ fieldName: "text", order: "descending" }] } }],
      },
      [
        ["Start", "People"],
        ["People", "Adult"],
        ["Adult", "Greet"],
        ["Greet", "Sorted"],
      ],
    );
    expect(await outputOf(source)).toEqual([{ text: "Hello Cy" }, { text: "Hello Ann" }]);
  });

  it("a merge joins the items of its inputs by a field", async () => {
    const second: Part = [
      "code",
      { jsCode: "return [{ name: 'Cy', city: 'Oslo' }, { name: 'Di', city: 'Rome' }];" },
      { typeVersion: 2 },
    ];
    const both = { mode: "combine", fieldsToMatchString: "name", joinMode: "enrichInput1" };
    const source = workflow(
      {
        Start: start,
        People: people,
        Cities: second,
        Both: ["merge", both, { typeVersion: 3 }],
      },
      // The second input is drawn first: n8n tells them apart by their number.
      [
        ["Start", "People"],
        ["Start", "Cities"],
        ["Cities", "Both", 0, 1],
        ["People", "Both", 0, 0],
      ],
    );
    expect(await outputOf(source)).toEqual([
      { name: "Cy", age: 29, city: "Oslo" },
      { name: "Ann", age: 41 },
      { name: "Bo", age: 17 },
    ]);
  });

  it("a step reads the item that it is at by the name of the node that gave it, and the first of all", async () => {
    const value =
      "={{ $('People').item.json.name }}, {{ $node['People'].json.age }}, {{ $('People').first().json.name }}";
    const assignments = [{ name: "who", value, type: "string" }];
    const source = workflow(
      {
        Start: start,
        People: people,
        Adults: ["filter", adults, { typeVersion: 2 }],
        Greet: greeting,
        Who: ["set", { assignments: { assignments } }, { typeVersion: 3.4 }],
        All: ["aggregate", { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "who" }] } }],
      },
      [
        ["Start", "People"],
        ["People", "Adults"],
        ["Adults", "Greet"],
        ["Greet", "Who"],
        ["Who", "All"],
      ],
    );
    expect(await outputOf(source)).toEqual({ who: ["Ann, 41, Ann", "Cy, 29, Ann"] });
  });

  it("a loop of n8n's own hands out its item by its name", async () => {
    const assignments = [{ name: "who", value: "={{ $('Loop').item.json.name }}", type: "string" }];
    const source = workflow(
      {
        Start: start,
        People: people,
        Loop: ["splitInBatches", {}, { typeVersion: 3 }],
        Greet: greeting,
        Who: ["set", { assignments: { assignments } }, { typeVersion: 3.4 }],
      },
      [
        ["Start", "People"],
        ["People", "Loop"],
        ["Loop", "Greet", 1],
        ["Greet", "Who"],
        ["Who", "Loop"],
      ],
    );
    expect(await outputOf(source)).toEqual([{ who: "Ann" }, { who: "Bo" }, { who: "Cy" }]);
  });

  it("a single item stays what it is", () => {
    const one: Part = ["code", { jsCode: "return [{ name: 'Ann' }];" }, { typeVersion: 2 }];
    const source = workflow({ Start: start, One: one, Greet: greeting }, [
      ["Start", "One"],
      ["One", "Greet"],
    ]);
    expect(readImported(source, nodeRegistry).edges).toEqual(["Start.main > One.main", "One.main > Greet.main"]);
  });

  it.each<[name: string, part: Part, expected: Json]>([
    [
      "Filter keeps those that fit",
      ["filter", adults, { typeVersion: 2 }],
      [
        { name: "Ann", age: 41 },
        { name: "Cy", age: 29 },
      ],
    ],
    [
      "Limit takes the first",
      ["limit", { maxItems: 2 }],
      [
        { name: "Ann", age: 41 },
        { name: "Bo", age: 17 },
      ],
    ],
    ["Limit takes the last one", ["limit", { maxItems: 1, keep: "lastItems" }], { name: "Cy", age: 29 }],
    [
      "Sort by code with a variable that is not declared",
      ["sort", { type: "code", code: "key = 'age'; return a.json[key] - b.json[key];" }],
      [
        { name: "Bo", age: 17 },
        { name: "Cy", age: 29 },
        { name: "Ann", age: 41 },
      ],
    ],
    [
      "Summarize",
      [
        "summarize",
        {
          fieldsToSummarize: {
            values: [
              { aggregation: "max", field: "age" },
              { aggregation: "concatenate", field: "name", separateBy: ", " },
            ],
          },
        },
      ],
      { max_age: 41, concatenated_name: "Ann, Bo, Cy" },
    ],
    [
      "Aggregate in groups",
      [
        "aggregate",
        { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "name" }] }, options: { groupByFields: "age" } },
      ],
      [
        { age: 41, name: ["Ann"] },
        { age: 17, name: ["Bo"] },
        { age: 29, name: ["Cy"] },
      ],
    ],
    [
      "Remove duplicates",
      ["removeDuplicates", { compare: "allFieldsExcept", fieldsToExclude: "name, age" }],
      [{ name: "Ann", age: 41 }],
    ],
  ])("%s", async (_name, part, expected) => {
    const source = workflow({ Start: start, People: people, It: part }, [
      ["Start", "People"],
      ["People", "It"],
    ]);
    expect(await outputOf(source)).toEqual(expected);
  });

  it("an end without items gives an empty one where n8n is told to", async () => {
    const nobody = {
      conditions: {
        conditions: [{ leftValue: "={{ $json.age }}", rightValue: 99, operator: { type: "number", operation: "gt" } }],
      },
    };
    const source = workflow(
      { Start: start, People: people, It: ["filter", nobody, { typeVersion: 2, alwaysOutputData: true }] },
      [
        ["Start", "People"],
        ["People", "It"],
      ],
    );
    expect(await outputOf(source)).toEqual([{}]);
  });
});

describe("any flow of n8n's nodes", () => {
  const kinds: Part[] = [
    people,
    greeting,
    ["if", adults, { typeVersion: 2 }],
    ["filter", adults, { typeVersion: 2 }],
    ["sort"],
    ["limit", { maxItems: 2 }],
    ["splitOut", { fieldToSplitOut: "list" }],
    ["aggregate", { aggregate: "aggregateAllItemData" }],
    ["merge", {}, { typeVersion: 3 }],
    ["noOp"],
  ];
  const step = fc.record({
    kind: fc.nat(kinds.length - 1),
    from: fc.array(fc.record({ back: fc.integer({ min: 1, max: 4 }), output: fc.nat(1) }), {
      minLength: 1,
      maxLength: 2,
    }),
  });

  it("is a workflow that can run, wherever its lists meet", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 9 }), (steps) => {
        const name = (index: number) => (index < 0 ? "Start" : `N${index}`);
        const parts = Object.fromEntries([
          ["Start", start],
          ...steps.map(({ kind }, index) => [name(index), kinds[kind] ?? start] as const),
        ]);
        const ways = steps.flatMap(({ from }, index): Way[] =>
          from.map(({ back, output }, input) => {
            const source = Math.max(-1, index - back);
            const splits = source >= 0 && kinds[steps[source]?.kind ?? 0]?.[0] === "if";
            return [name(source), name(index), splits ? output : 0, input];
          }),
        );
        const { document } = readImported(workflow(parts, ways), nodeRegistry);
        const wrong = validateWorkflow(document, nodeRegistry)
          .filter(({ severity }) => severity === "error")
          .filter(({ message }) => !message.includes("waits for your review"));
        expect(wrong).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what the text of code says of its items", () => {
  it.each([
    ["return [{ a: 1 }, { a: 2 }];", true],
    ["return [{ a: 1 }];", false],
    ["const found = []; for (const one of items) found.push(one); return found;", true],
    ["return { a: [1, 2] };", false],
    ["return $json.rows.map((row) => ({ row }));", true],
    ["const rows = $json.rows; return [...rows];", true],
    ["return $input.all();", false],
    ["this is no code", false],
  ])("%s", (source, expected) => {
    expect(returnsMany(source, false)).toBe(expected);
  });

  it("items that come in go out again", () => {
    expect(returnsMany("return items.map((one) => ({ json: one.json }));", true)).toBe(true);
  });

  it("finds variables that are not declared, and no others", () => {
    expect(
      implicitGlobals("total = 0; for (one of items) total += one.json.n; const done = total; return done;"),
    ).toEqual(["total", "one"]);
    expect(implicitGlobals("let a; const f = (b) => { b = 1; }; a = 2;")).toEqual([]);
    expect(implicitGlobals("not code (")).toEqual([]);
  });
});
