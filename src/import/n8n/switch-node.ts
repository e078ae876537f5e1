import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { piece, quoted } from "../expressions/piece.ts";
import { attempt } from "../expressions/translate.ts";
import { conditionOf } from "./conditions.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const maxCases = 6;
/** Outputs of a switch that does not say how many it has. */
const usualOutputs = 4;

/** Outputs beyond this are none that a person drew. */
const mostOutputs = 100;

/** A number of an output, or of outputs, within bounds; none is the first. */
const outputIn = (value: Json | undefined) =>
  typeof value === "number" ? Math.min(mostOutputs, Math.max(0, Math.trunc(value))) : 0;

interface Cases {
  value: string;
  /** One for each output. */
  cases: Json[];
  note?: string;
}

/** n8n's Switch of all versions: by rules, or by an expression that gives the output. */
export function switchNode(work: NodeWork): Made {
  const rules = work.list("rules", "values").length > 0 ? work.list("rules", "values") : work.list("rules", "rules");
  const made = work.word("mode", "rules") === "expression" ? byExpression(work) : byRules(work, rules);
  const count = made.cases.length;
  const note =
    made.note ??
    (count > maxCases
      ? `A switch has ${maxCases} cases; the other ${count - maxCases} leave by "Otherwise".`
      : work.flag(["options", "allMatchingOutputs"])
        ? "Only the first rule that fits is followed, not all of them."
        : undefined);
  return {
    type: "switch",
    config: {
      value: made.value,
      cases: made.cases.slice(0, maxCases),
      ...(work.node.onError === "continue" ? { onError: "continue" } : {}),
    },
    output: (_kind, index) => (index < Math.min(count, maxCases) ? `case${index + 1}` : "default"),
    ...(note === undefined ? {} : { outcome: "approximated", note }),
  };
}

function byExpression(work: NodeWork): Cases {
  const count = outputIn(work.number("numberOutputs") ?? work.number("outputsAmount") ?? usualOutputs);
  return { value: work.textOf(work.at("output")), cases: Array.from({ length: count }, (_, index) => index) };
}

/** Characters of a rule's name, which stands on the card and in the expression. */
const longestName = 60;

/** What a rule is called there, or else the text that it compares with; empty where neither is fit for a name. */
function nameOfRule(rule: JsonObject): string {
  const [only, ...others] =
    isJsonObject(rule.conditions) && Array.isArray(rule.conditions.conditions) ? rule.conditions.conditions : [];
  const compared = others.length === 0 && isJsonObject(only) ? only.rightValue : rule.value2;
  const names = [rule.outputKey, compared].map((name) => (typeof name === "string" ? name.trim() : ""));
  return names.find((name) => name !== "" && name.length <= longestName && !/^=|\{\{/.test(name)) ?? "";
}

/** Names of the outputs, each once: those of the rules that lead there, or their numbers. */
function namesOf(rules: readonly JsonObject[], outputs: readonly number[], count: number): string[] {
  const given = Array.from({ length: count }, (_, output) => {
    const [only, ...others] = rules.filter((_rule, index) => outputs[index] === output);
    return (only && others.length === 0 ? nameOfRule(only) : "") || String(output + 1);
  });
  return new Set(given).size === given.length ? given : given.map((_, index) => String(index + 1));
}

/** Each rule's condition in turn, as the name of the output that the first that holds leads to. */
function byRules(work: NodeWork, rules: readonly JsonObject[]): Cases {
  const isOld = work.node.version < 2;
  // The first version says with each rule where it leads, and leaves out a zero.
  const leads = isOld && rules.some(({ output }) => typeof output === "number");
  const outputs = rules.map(({ output }, index) => (leads ? outputIn(output) : index));
  const count = isOld ? outputs.reduce((most, one) => Math.max(most, one), fallbackOf(work)) + 1 : rules.length;
  const cases = namesOf(rules, outputs, count);
  const ignoresCase = work.at("options", "ignoreCase") === true;
  const made = attempt(() => {
    const tests = rules.map((rule) => {
      if (isJsonObject(rule.conditions)) return conditionOf(work, rule.conditions, "all");
      const type = work.word("dataType", "number");
      const condition = {
        value1: work.at("value1") ?? "",
        value2: rule.value2 ?? "",
        operation: rule.operation ?? "equal",
      };
      return conditionOf(work, { [type]: [condition], options: { caseSensitive: !ignoresCase } }, "all");
    });
    const name = (output: number) => quoted(cases[output] ?? nobody(cases));
    const code = tests.reduceRight(
      (rest, test, index) => `(${test} ? ${name(outputs[index] ?? index)} : ${rest})`,
      name(fallbackOf(work)),
    );
    return piece("string", code);
  });
  if (made.ok) {
    const { cel } = made;
    return { value: `{{${cel.startsWith("maybe(") ? `coalesce(${cel}, ${quoted(nobody(cases))})` : cel}}}`, cases };
  }
  return { value: nobody(cases), cases, note: `Its rules cannot be translated: ${made.reason}. Write them anew.` };
}

/** The output of what fits no rule; -1 for the one after all others, or for none. */
function fallbackOf(work: NodeWork): number {
  const fallback = work.at("options", "fallbackOutput") ?? work.at("fallbackOutput");
  return typeof fallback === "number" && fallback >= 0 ? outputIn(fallback) : -1;
}

/** A value that is none of the cases. */
function nobody(cases: readonly Json[]): string {
  const name = "otherwise";
  return cases.includes(name) ? `${name} (none of the cases)` : name;
}
