import { assertionSchema } from "../assertions/assertion.ts";
import { assertionKindOf } from "../assertions/kinds.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { issueText } from "../suite/issue-text.ts";
import { type ImportedSuite, ImportLog, inputOf, valueWithOurTemplates } from "./imported-suite.ts";

/** Assertions by a model that ask in other words. */
const rubrics: Readonly<Record<string, string>> = {
  "g-eval": "",
  "model-graded-closedqa": "",
  factuality: "The answer agrees with this and does not contradict it: ",
  "model-graded-factuality": "The answer agrees with this and does not contradict it: ",
};

/** Fields of the config that say nothing about cases and expectations. */
const aside: Readonly<Record<string, string>> = {
  prompts: "The workflow has its own prompts.",
  providers: "The workflow has its own models; name others in “matrix”.",
  targets: "The workflow has its own models; name others in “matrix”.",
  scenarios: "Write them out as cases.",
  redteam: "Generated attacks have no counterpart.",
  outputPath: "Results are exported from their page, or with --out and --junit.",
  extensions: "Code of a config is never run.",
};

/** What a suite allows. */
const mostTrials = 1_000;

/** Whether a value looks like promptfoo's config. */
export function isPromptfoo(config: unknown): config is JsonObject {
  return isJsonObject(config) && ("tests" in config || "defaultTest" in config) && !("testing_criteria" in config);
}

/** Makes a suite of a promptfoo config that was read from YAML or JSON. Nothing in it is run, and no file that it names is read. */
export function importPromptfoo(config: JsonObject): ImportedSuite {
  const log = new ImportLog();
  for (const [field, note] of Object.entries(aside)) if (config[field] !== undefined) log.leftOut(field, field, note);
  const { tests, defaultTest, description, evaluateOptions } = config;
  const shared = isJsonObject(defaultTest) ? defaultTest : {};
  if (typeof defaultTest === "string")
    log.leftOut("defaultTest", defaultTest, "Files are not read. Put its text here.");
  const repeat = isJsonObject(evaluateOptions) ? evaluateOptions.repeat : undefined;
  leaveOut(shared, "defaultTest", log);
  const defaultAssert = assertionsOf(shared.assert, "defaultTest.assert", log);
  const suite: JsonObject = {
    ...(typeof description === "string" && description.trim() !== "" ? { name: description.trim().slice(0, 200) } : {}),
    workflow: "workflow.json",
    dataset: "cases.jsonl",
    trials: trialsOf(repeat, log),
    defaultAssert,
  };
  const cases = Array.isArray(tests) ? tests.flatMap((test, index) => caseOf(test, index, shared, log)) : [];
  if (typeof tests === "string") log.leftOut("tests", tests, "Files are not read. Put its tests here.");
  const own = cases.flatMap(({ assert }) => (Array.isArray(assert) ? assert.filter(isJsonObject) : []));
  log.needsModels([...defaultAssert, ...own]);
  return { format: "promptfoo", suite, cases: withNames(cases), parts: log.parts };
}

function trialsOf(repeat: Json | undefined, log: ImportLog): number {
  if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 1) return 1;
  if (repeat > mostTrials) log.approximated("evaluateOptions.repeat", "repeat", "A case has at most 1,000 trials.");
  return Math.min(repeat, mostTrials);
}

const oneByOne = "A trial passes when all its assertions do; give some of them weight 0.";

/** Tells what of a test, or of what all tests have in common, has no counterpart. */
function leaveOut(test: JsonObject, place: string, log: ImportLog): void {
  if (test.threshold !== undefined) log.leftOut(`${place}.threshold`, "threshold", oneByOne);
  for (const field of ["options", "provider", "providers", "prompts", "transform", "assertScoringFunction"])
    if (test[field] !== undefined) log.leftOut(`${place}.${field}`, field, "The workflow decides it.");
}

/** Cases that one test becomes at most. */
const mostCombinations = 1_000;

/** A variable with a list stands for a test with each of its values; several, for each combination of them. */
function combinationsOf(variables: JsonObject, place: string, log: ImportLog): JsonObject[] {
  let made: JsonObject[] = [{}];
  for (const [name, value] of Object.entries(variables)) {
    const values = Array.isArray(value) ? value : [value];
    if (made.length * values.length > mostCombinations) {
      log.leftOut(`${place}.vars`, name, "Its lists stand for more than 1,000 cases: write out those that matter.");
      return [];
    }
    made = made.flatMap((one) => values.map((each) => ({ ...one, [name]: each })));
  }
  return made;
}

function caseOf(test: Json, index: number, shared: JsonObject, log: ImportLog): JsonObject[] {
  const place = `tests[${index}]`;
  if (!isJsonObject(test)) {
    log.leftOut(place, String(test), "Files are not read. Put its tests here.");
    return [];
  }
  const { description, vars, assert, metadata, options } = test;
  const ownVars = isJsonObject(vars) ? vars : {};
  const variables = { ...(isJsonObject(shared.vars) ? shared.vars : {}), ...ownVars };
  const file = Object.entries(variables).find(([, value]) => typeof value === "string" && value.startsWith("file://"));
  if (file) log.leftOut(`${place}.vars.${file[0]}`, String(file[1]), "Files are not read. Put its text here.");
  leaveOut(test, place, log);
  const all = { ...(isJsonObject(shared.options) ? shared.options : {}), ...(isJsonObject(options) ? options : {}) };
  const inputs = all.disableVarExpansion === true ? [variables] : combinationsOf(variables, place, log);
  const told = {
    ...(isJsonObject(shared.metadata) ? shared.metadata : {}),
    ...(isJsonObject(metadata) ? metadata : {}),
  };
  log.mapped(place, "test");
  const assertions = assertionsOf(assert, `${place}.assert`, log);
  return inputs.map((input) => ({
    id:
      typeof description === "string" && description.trim() !== ""
        ? description.trim().slice(0, 200)
        : `case-${index + 1}`,
    input: inputOf(input),
    ...(Object.keys(told).length > 0 ? { metadata: told } : {}),
    ...(assertions.length > 0 ? { assert: assertions } : {}),
  }));
}

function assertionsOf(list: Json | undefined, place: string, log: ImportLog): JsonObject[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one, index) => assertionOf(one, `${place}[${index}]`, log));
}

function assertionOf(given: Json, place: string, log: ImportLog): JsonObject[] {
  if (!isJsonObject(given) || typeof given.type !== "string") {
    log.leftOut(place, "assertion", "It has no type.");
    return [];
  }
  const { type, value, threshold, weight, metric, assert, transform, contextTransform, ...others } = given;
  if (transform !== undefined || contextTransform !== undefined) {
    log.leftOut(place, type, "Its transform is code, which is never run: write a JavaScript assertion.");
    return [];
  }
  if (type === "assert-set") {
    log.approximated(place, type, "Its assertions stand by themselves now: all of them have to pass.");
    return assertionsOf(assert, `${place}.assert`, log);
  }
  if (typeof value === "string" && /^(?:file|https?|package):\/\//.test(value)) {
    log.leftOut(place, type, `${value} is not read.`);
    return [];
  }
  const negated = type.startsWith("not-");
  const bare = negated ? type.slice("not-".length) : type;
  const rubric = Object.hasOwn(rubrics, bare) ? rubrics[bare] : undefined;
  const name = rubric === undefined ? bare : "llm-rubric";
  const found = assertionKindOf(name);
  if (!found) {
    log.leftOut(place, type, "It has no counterpart.");
    return [];
  }
  // Code reads variables by itself.
  const own =
    value === undefined ? undefined : found.kind.isTemplated ? valueWithOurTemplates(value, variableName) : value;
  if (value !== undefined && own === undefined) {
    log.leftOut(place, type, "Its template has no counterpart. Templates are written in CEL.");
    return [];
  }
  const made = {
    type: `${negated ? "not-" : ""}${name}`,
    ...(own === undefined ? {} : { value: rubric === undefined || typeof own !== "string" ? own : `${rubric}${own}` }),
    ...(typeof threshold === "number" ? { threshold } : {}),
    ...(typeof weight === "number" ? { weight } : {}),
    ...(typeof metric === "string" ? { metric } : {}),
  };
  const read = assertionSchema.safeParse(made);
  if (!read.success) {
    log.leftOut(place, type, read.error.issues.map((issue) => issueText(issue)).join(" "));
    return [];
  }
  const lost = Object.keys(others);
  if (lost.length > 0) log.approximated(place, type, `Not taken over: ${lost.join(", ")}.`);
  else if (rubric !== undefined) log.approximated(place, type, "A judge decides it by this rubric.");
  else if (name === "javascript")
    log.approximated(
      place,
      type,
      "It runs in the sandbox, where output, expected, input, metadata, run and context are known.",
    );
  else if (name === "latency") log.approximated(place, type, "It is the time of the whole run.");
  else log.mapped(place, type);
  return [made];
}

/** promptfoo's variables are ours below `input`; filters and expressions have no counterpart. */
function variableName(expression: string): string | undefined {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*$/.test(expression) ? `input.${expression}` : undefined;
}

/** Names of cases that are taken get a number. */
export function withNames(cases: readonly JsonObject[]): JsonObject[] {
  const taken = new Set<string>();
  return cases.map((one) => {
    const base = String(one.id);
    let id = base;
    for (let number = 2; taken.has(id); number += 1) id = `${base} (${number})`;
    taken.add(id);
    return { ...one, id };
  });
}
