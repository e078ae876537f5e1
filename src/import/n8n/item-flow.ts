import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { backEdges } from "../flow/back-edges.ts";
import { givesRows } from "./file-nodes.ts";
import { returnsMany } from "./returned-items.ts";
import type { N8nEdge, N8nNode, N8nWorkflow } from "./read-n8n.ts";

/** Where n8n has several items at once, as far as the file says: it hands out lists, and most nodes run once for each item. */
export interface ItemFlow {
  /** Whether several items may reach the node. */
  gets(name: string): boolean;
  /** Whether several items may leave by the output. */
  gives(name: string, output: number): boolean;
  /** Whether the node runs once for all items, as a list here; the others run once for each. */
  takesAll(name: string): boolean;
}

/** How a node deals with the items that reach it. */
interface Dealing {
  /** `all`: one run for all of them; `each`: one for each; `either`: hands on what it gets, in whatever form that is. */
  takes: "all" | "each" | "either";
  /** Whether several items leave, by what is known of those that reach it. */
  gives(many: boolean, output: number): boolean;
}

const same = (many: boolean) => many;
const each: Dealing = { takes: "each", gives: same };
const list: Dealing = { takes: "all", gives: () => true };
const one: Dealing = { takes: "all", gives: () => false };

const objectAt = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const summarized = ({ parameters: { raw } }: N8nNode): Dealing =>
  typeof raw.fieldsToSplitBy === "string" &&
  raw.fieldsToSplitBy.trim() !== "" &&
  objectAt(raw.options).outputFormat !== "singleItem"
    ? list
    : one;

const limited = ({ parameters: { raw } }: N8nNode): Dealing => (Number(raw.maxItems ?? 1) > 1 ? list : one);

function coded({ parameters: { raw } }: N8nNode): Dealing {
  if (raw.mode === "runOnceForEachItem") return each;
  const source = raw.jsCode ?? raw.functionCode ?? raw.code;
  return { takes: "all", gives: (many) => returnsMany(typeof source === "string" ? source : "", many) };
}

function listed(node: N8nNode): Dealing {
  switch (node.parameters.raw.operation) {
    case "concatenateItems":
    case "aggregateItems":
      return one;
    case "summarize":
      return summarized(node);
    case "limit":
      return limited(node);
    default:
      return list;
  }
}

/** n8n's version 3 has the end of the loop first, the older ones the loop. */
function batched({ version, parameters: { raw } }: N8nNode): Dealing {
  const loop = version >= 3 ? 1 : 0;
  const size = Number(raw.batchSize ?? (version >= 3 ? 1 : 10));
  return { takes: "all", gives: (_many, output) => output !== loop || size > 1 };
}

/** A table is a list of rows; anything else in a file is one item. */
function fromFile({ parameters: { raw } }: N8nNode): Dealing {
  return { takes: "each", gives: (many) => many || givesRows(raw.operation ?? "csv") };
}

/** Only what is made of items takes all of them. */
function spreadsheet(node: N8nNode): Dealing {
  return node.parameters.raw.operation === "toFile" ? one : { takes: "each", gives: () => true };
}

function joined({ parameters: { raw } }: N8nNode): Dealing {
  return { takes: "all", gives: (many) => many || (raw.mode ?? "append") === "append" };
}

const dealings: Readonly<Record<string, Dealing | ((node: N8nNode) => Dealing)>> = {
  splitOut: list,
  sort: list,
  removeDuplicates: list,
  filter: { takes: "all", gives: same },
  renameKeys: { takes: "all", gives: same },
  aggregate: ({ parameters: { raw } }) => (objectAt(raw.options).groupByFields ? list : one),
  summarize: summarized,
  limit: limited,
  itemLists: listed,
  code: coded,
  function: coded,
  merge: joined,
  splitInBatches: batched,
  // A text of each item is a file of its own.
  convertToFile: ({ parameters: { raw } }) => (raw.operation === "toBinary" ? each : one),
  extractFromFile: fromFile,
  spreadsheetFile: spreadsheet,
  html: ({ parameters: { raw } }) => (raw.operation === "convertToHtmlTable" ? one : each),
  noOp: { takes: "either", gives: same },
  respondToWebhook: ({ parameters: { raw } }) => (raw.respondWith === "allIncomingItems" ? list : each),
};

function dealingOf(node: N8nNode): Dealing {
  const known = Object.hasOwn(dealings, node.type) ? dealings[node.type] : undefined;
  return typeof known === "function" ? known(node) : (known ?? each);
}

/** Follows the items of a workflow from node to node. */
export function itemFlow(workflow: N8nWorkflow): ItemFlow {
  const main = workflow.edges.filter(({ kind }) => kind === "main");
  const back = backEdges(
    workflow.nodes.map(({ name }) => name),
    main,
  );
  const into = new Map<string, N8nEdge[]>();
  for (const edge of main) if (!back.has(edge)) into.set(edge.to, [...(into.get(edge.to) ?? []), edge]);
  const nodes = new Map(workflow.nodes.map((node) => [node.name, { node, dealing: dealingOf(node) }]));
  const getting = new Map<string, boolean>();
  const taking = new Map<string, boolean>();
  const gives = (name: string, output: number): boolean => {
    const found = nodes.get(name);
    if (!found) return false;
    if (Array.isArray(workflow.pinned[name])) return true;
    return found.dealing.gives(gets(name), output);
  };
  function gets(name: string): boolean {
    const known = getting.get(name);
    if (known !== undefined) return known;
    getting.set(name, false);
    const found = (into.get(name) ?? []).some((edge) => gives(edge.from, edge.fromIndex));
    getting.set(name, found);
    return found;
  }
  function takesAll(name: string): boolean {
    const known = taking.get(name);
    if (known !== undefined) return known;
    taking.set(name, true);
    const takes = nodes.get(name)?.dealing.takes ?? "each";
    const found =
      takes === "all" ||
      (takes === "either" && (into.get(name) ?? []).every((edge) => !gets(edge.from) || takesAll(edge.from)));
    taking.set(name, found);
    return found;
  }
  return { gets, gives, takesAll };
}
