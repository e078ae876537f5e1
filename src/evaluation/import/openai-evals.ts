import { assertionSchema } from "../assertions/assertion.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { issueText } from "../suite/issue-text.ts";
import { type ImportedSuite, ImportLog, inputOf, withOurTemplates } from "./imported-suite.ts";
import { withNames } from "./promptfoo.ts";

/** Whether a value looks like an eval of OpenAI's API. */
export function isOpenaiEval(config: unknown): config is JsonObject {
  return isJsonObject(config) && Array.isArray(config.testing_criteria);
}

const expectedNames = ["expected", "reference", "ground_truth", "correct_label", "reference_answer", "ideal", "answer"];

/**
 * Makes a suite of an eval as the API gives it (`data_source_config`, `testing_criteria`), and of the rows of its data source
 * (`{ item }`), which stand in the eval or in a file beside it. Nothing in it is run.
 */
export function importOpenaiEval(config: JsonObject, rows: readonly Json[]): ImportedSuite {
  const log = new ImportLog();
  const { name, testing_criteria: criteria, data_source: source } = config;
  const assertions = Array.isArray(criteria)
    ? criteria.flatMap((one, index) => criterionOf(one, `testing_criteria[${index}]`, log))
    : [];
  log.needsModels(assertions);
  const items = rows.length > 0 ? rows : contentOf(source);
  if (items.length === 0) log.leftOut("data_source", "data", "It holds no rows. Give the file with the rows, too.");
  const cases = items.flatMap((row, index) => caseOf(row, index, log));
  const suite: JsonObject = {
    ...(typeof name === "string" && name.trim() !== "" ? { name: name.trim().slice(0, 200) } : {}),
    workflow: "workflow.json",
    dataset: "cases.jsonl",
    trials: 1,
    defaultAssert: assertions,
  };
  return { format: "openai-evals", suite, cases: withNames(cases), parts: log.parts };
}

function contentOf(source: Json | undefined): Json[] {
  const inner = isJsonObject(source) ? source.source : undefined;
  return isJsonObject(inner) && Array.isArray(inner.content) ? inner.content : [];
}

function caseOf(row: Json, index: number, log: ImportLog): JsonObject[] {
  const item = isJsonObject(row) ? (row.item ?? row) : undefined;
  if (!isJsonObject(item)) {
    log.leftOut(`data[${index}]`, "row", "It is no object with an “item”.");
    return [];
  }
  const expected = expectedNames.find((name) => item[name] !== undefined);
  const id = typeof item.id === "string" || typeof item.id === "number" ? String(item.id) : `case-${index + 1}`;
  log.mapped(`data[${index}]`, "item");
  return [
    {
      id: id.slice(0, 200),
      input: inputOf(item),
      ...(expected === undefined ? {} : { expected: item[expected] ?? null }),
    },
  ];
}

function criterionOf(given: Json, place: string, log: ImportLog): JsonObject[] {
  if (!isJsonObject(given) || typeof given.type !== "string") {
    log.leftOut(place, "criterion", "It has no type.");
    return [];
  }
  const { type, name } = given;
  const metric: JsonObject = typeof name === "string" && name !== "" ? { metric: name } : {};
  const made = assertionFor(type, given, place, log);
  if (!made) return [];
  const { note, ...assertion } = made;
  const whole: JsonObject = { ...assertion, ...metric };
  const read = assertionSchema.safeParse(whole);
  if (!read.success) {
    log.leftOut(place, type, read.error.issues.map((issue) => issueText(issue)).join(" "));
    return [];
  }
  if (note === "") log.mapped(place, type);
  else log.approximated(place, type, note);
  return [whole];
}

interface Made {
  type: string;
  value: Json;
  threshold?: number;
  note: string;
}

function assertionFor(type: string, criterion: JsonObject, place: string, log: ImportLog): Made | undefined {
  switch (type) {
    case "string_check":
      return stringCheck(criterion, place, log);
    case "text_similarity":
      return similarity(criterion, place, log);
    case "score_model":
    case "label_model":
      return rubric(type, criterion, place, log);
    case "python":
      return gone(log, place, type, "Code of an eval is never run. Write it as a javascript or cel assertion.");
    default:
      return gone(log, place, type, "It has no counterpart.");
  }
}

const operations: Readonly<Record<string, { type: string; note: string }>> = {
  eq: { type: "equals", note: "" },
  ne: { type: "not-equals", note: "" },
  like: { type: "contains", note: "The answer has to contain it." },
  ilike: { type: "icontains", note: "The answer has to contain it, in capitals or not." },
};

function stringCheck({ input, reference, operation }: JsonObject, place: string, log: ImportLog): Made | undefined {
  const found = typeof operation === "string" ? operations[operation] : undefined;
  if (!found) return gone(log, place, "string_check", `There is no operation ${JSON.stringify(operation)}.`);
  const value = referenceOf(input, reference, place, "string_check", log);
  return value === undefined ? undefined : { ...found, value };
}

function similarity(
  { input, reference, evaluation_metric: metric, pass_threshold: threshold }: JsonObject,
  place: string,
  log: ImportLog,
): Made | undefined {
  if (metric !== "cosine" && metric !== "fuzzy_match")
    return gone(log, place, "text_similarity", `The metric ${JSON.stringify(metric)} has no counterpart.`);
  const value = referenceOf(input, reference, place, "text_similarity", log);
  if (value === undefined) return undefined;
  const note = metric === "cosine" ? "" : "Meanings are compared instead of letters.";
  return { type: "similar", value, ...(typeof threshold === "number" ? { threshold } : {}), note };
}

/** What the answer is compared with, where it is the answer that is compared. */
function referenceOf(
  input: Json | undefined,
  reference: Json | undefined,
  place: string,
  type: string,
  log: ImportLog,
) {
  if (typeof input !== "string" || !/^\s*\{\{\s*sample\.output_text\s*\}\}\s*$/.test(input))
    return gone(log, place, type, "Only the answer, {{sample.output_text}}, can be checked.");
  const value = typeof reference === "string" ? withOurTemplates(reference, itemName) : undefined;
  return value ?? gone(log, place, type, "Its reference cannot be read.");
}

function rubric(
  type: "score_model" | "label_model",
  { input, range, pass_threshold: threshold, labels, passing_labels: passing }: JsonObject,
  place: string,
  log: ImportLog,
): Made | undefined {
  const texts = Array.isArray(input) ? input.map(textOf) : [];
  const said = texts.join("\n\n").replace(/\{\{\s*sample\.output_text\s*\}\}/g, "(the answer)");
  const value = withOurTemplates(said, itemName);
  if (texts.length === 0 || value === undefined) return gone(log, place, type, "Its messages cannot be read.");
  const note = "A judge decides it by these messages as its rubric.";
  if (type === "label_model") {
    const words = `The labels are ${JSON.stringify(labels ?? [])}. Pass only if the right label is one of ${JSON.stringify(passing ?? [])}.`;
    return { type: "llm-rubric", value: `${value}\n\n${words}`, note };
  }
  const [low, high] = Array.isArray(range) && range.length === 2 ? range.map(Number) : [0, 1];
  const span = (high ?? 1) - (low ?? 0);
  const scaled = typeof threshold === "number" && span > 0 ? { threshold: (threshold - (low ?? 0)) / span } : {};
  return { type: "llm-rubric", value, ...scaled, note: `${note} Scores go from 0 to 1.` };
}

function textOf(message: Json): string {
  const content = isJsonObject(message) ? message.content : undefined;
  if (typeof content === "string") return content;
  if (isJsonObject(content) && typeof content.text === "string") return content.text;
  return Array.isArray(content)
    ? content.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : "")).join("\n")
    : "";
}

/** The item of a row is our `input`. */
function itemName(expression: string): string | undefined {
  const found = /^item((?:\.[A-Za-z_]\w*|\[\d+\])+)$/.exec(expression);
  return found ? `input${found[1]}` : undefined;
}

function gone(log: ImportLog, place: string, type: string, note: string): undefined {
  log.leftOut(place, type, note);
  return undefined;
}
