import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { Json } from "../../engine/json.ts";
import { onErrorField } from "./error-field.ts";

const ports = ["case1", "case2", "case3", "case4", "case5", "case6"] as const;

/** Texts, numbers and booleans compare by how they are written; the rest as JSON. */
function written(value: Json): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

/** Characters of a case that fit on a card. */
const longestLabel = 20;
/** A longer expression, such as one made from another builder's rules, says nothing on a card. */
const longestValue = 40;

function caseLabel(value: Json, index: number): string {
  const text = written(value);
  if (text === "") return String(index + 1);
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

export const switchNode = defineNode({
  type: "switch",
  version: 1,
  role: "flow",
  decides: "branch",
  title: "Switch",
  summary: "Takes one of several branches, depending on a value.",
  keywords: ["router", "route", "case", "branch", "condition", "classify", "categorize", "else if", "decision"],
  icon: "signpost",
  config: z.object({
    value: field(z._default(jsonValue(), ""), {
      label: "Value",
      help: "What to compare, such as {{json.kind}}.",
      control: "text",
      template: "value",
      required: true,
      placeholder: "{{json.kind}}",
    }),
    cases: field(z._default(z.array(jsonValue()).check(z.minLength(1), z.maxLength(ports.length)), [""]), {
      label: "Cases",
      help: `Up to ${ports.length} values. The run takes the output of the first that equals the value above.`,
      control: "string-list",
      template: "value",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: {
    case1: out("main", { label: "1" }),
    case2: out("main", { label: "2" }),
    case3: out("main", { label: "3" }),
    case4: out("main", { label: "4" }),
    case5: out("main", { label: "5" }),
    case6: out("main", { label: "6" }),
    default: out("main", { label: "Otherwise" }),
  },
  reach: nowhere,
  errorOutput: "default",
  /** A list from data has as many cases as it then has. */
  shownOutputs({ cases = [""] }) {
    if (!Array.isArray(cases)) return undefined;
    const entries = ports.slice(0, cases.length).map((port, index) => [port, caseLabel(cases[index] ?? "", index)]);
    return { ...Object.fromEntries(entries), default: "Otherwise" };
  },
  describe({ value, cases }) {
    if (typeof value !== "string") return "";
    return value.length > longestValue && Array.isArray(cases) ? `By ${cases.length} rules` : value;
  },
  run({ config, json }) {
    const value = written(config.value);
    const port = ports[config.cases.findIndex((one) => written(one) === value)];
    return port === undefined ? { default: json } : { [port]: json };
  },
});
