import {
  type MissMode,
  missModes,
  type PublishingMode,
  publishingModes,
  readSuite,
  type ReplayMode,
  replayModes,
} from "../../evaluation/suite/suite.ts";
import { type Assertion, assertionSchema } from "../../evaluation/assertions/assertion.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, readJson } from "../../engine/json.ts";
import { assertionOf, type CheckRow, rowOf } from "./check-rows.ts";
import { type PriceTexts, priceTexts, readPrices } from "./model-price.ts";
import { readVariants, type VariantRow, variantRows } from "./variant-rows.ts";

/** The settings of a suite as they are typed. */
export interface SettingsForm {
  name: string;
  trials: string;
  replay: ReplayMode;
  onMiss: MissMode;
  /** Percent; empty for no gate. */
  passRate: string;
  maxCostUsd: string;
  /** Of one trial, in US dollars. */
  trialCostUsd: string;
  p95LatencyMs: string;
  noWorse: boolean;
  publishing: PublishingMode;
  /** The assertions of every case that are rows. */
  checks: readonly CheckRow[];
  /** JSON: a list of those that are none. */
  defaultAssert: string;
  variants: readonly VariantRow[];
  /** Names, one per line. */
  liveTools: string;
  approve: boolean;
  judge: ModelForm | null;
  simulatedUser: ModelForm | null;
  embeddings: ModelForm | null;
}

/** A model besides the agent's. */
export interface ModelForm extends PriceTexts {
  provider: string;
  model: string;
  /** Id of a credential; empty where the provider needs none. */
  credential: string;
}

/** A model as it is stored. */
export function chosenModel({ provider, model, credential, ...texts }: ModelForm) {
  return { provider, model, credential, ...readPrices(texts).prices };
}

/** What is wrong, by field; of checks and versions by the keys of their rows, too. */
export interface SettingsProblems extends Partial<Record<Exclude<keyof SettingsForm, "checks">, string>> {
  checks?: Readonly<Record<string, string>>;
  variantRows?: Readonly<Record<string, string>>;
}

/** Stored settings in the form. */
export function formOf(name: string, settings: JsonObject): SettingsForm {
  const { trials, replay, maxCostUsd, defaultAssert, matrix, liveTools, approve, publishing } = settings;
  const gate = isJsonObject(settings.gate) ? settings.gate : {};
  const { passRate } = gate;
  return {
    name,
    trials: typeof trials === "number" ? String(trials) : "1",
    replay: replayModes.find((mode) => mode === replay) ?? "none",
    onMiss: missModes.find((mode) => mode === settings.onMiss) ?? "fail",
    passRate: typeof passRate === "number" ? String(Number((passRate * 100).toFixed(4))) : "",
    maxCostUsd: numberText(maxCostUsd),
    trialCostUsd: numberText(gate.maxCostUsd),
    p95LatencyMs: numberText(gate.p95LatencyMs),
    noWorse: gate.noWorse === true,
    publishing: publishingModes.find((mode) => mode === publishing) ?? "warn",
    ...assertionsOf(defaultAssert),
    variants: variantRows(matrix),
    liveTools: Array.isArray(liveTools) ? liveTools.map(String).join("\n") : "",
    approve: approve === true,
    judge: modelOf(settings.judge),
    simulatedUser: modelOf(settings.simulatedUser),
    embeddings: modelOf(settings.embeddings),
  };
}

function modelOf(value: Json | undefined): ModelForm | null {
  if (!isJsonObject(value)) return null;
  const { provider, model, credential } = value;
  const text = (part: Json | undefined) => (typeof part === "string" ? part : "");
  return { provider: text(provider), model: text(model), credential: text(credential), ...priceTexts(value) };
}

/** The typed settings, or what is wrong by field. What the form does not show stays as it was. */
export function readForm(
  form: SettingsForm,
  before: JsonObject,
): { ok: true; name: string; settings: JsonObject } | { ok: false; problems: SettingsProblems } {
  const problems: SettingsProblems = {};
  const name = form.name.trim();
  if (name === "") problems.name = "A suite needs a name.";
  const shown = formOf(form.name, before);
  const variants = readVariants(form.variants);
  if (!variants.ok) problems.variantRows = variants.problems;
  const assertions = readAssertions(form);
  Object.assign(problems, assertions.problems);
  const { gate: _gate, maxCostUsd: _cost, judge: _judge, simulatedUser: _user, embeddings: _vectors, ...kept } = before;
  const {
    passRate: _rate,
    maxCostUsd: _trial,
    p95LatencyMs: _time,
    noWorse: _worse,
    ...rest
  } = isJsonObject(_gate) ? _gate : {};
  const gate: JsonObject = {
    ...rest,
    ...(form.passRate.trim() === "" ? {} : { passRate: Number(form.passRate) / 100 }),
    ...(form.trialCostUsd.trim() === "" ? {} : { maxCostUsd: Number(form.trialCostUsd) }),
    ...(form.p95LatencyMs.trim() === "" ? {} : { p95LatencyMs: Number(form.p95LatencyMs) }),
    ...(form.noWorse ? { noWorse: true } : {}),
  };
  const models: JsonObject = {};
  for (const field of ["judge", "simulatedUser", "embeddings"] as const) {
    const model = form[field];
    if (model === null) continue;
    if (readPrices(model).isWrong) problems[field] = "A price is a number from 0.";
    models[field] = chosenModel(model);
  }
  const settings: JsonObject = {
    ...kept,
    trials: Number(form.trials),
    replay: form.replay,
    onMiss: form.onMiss,
    // What was not touched stays as it is, to the letter.
    defaultAssert: assertionsText(form) === assertionsText(shown) ? (before["defaultAssert"] ?? []) : assertions.list,
    matrix:
      JSON.stringify(form.variants) === JSON.stringify(shown.variants)
        ? (before["matrix"] ?? [])
        : variants.ok
          ? variants.matrix
          : [],
    liveTools: form.liveTools
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    approve: form.approve,
    publishing: form.publishing,
    ...models,
    ...(Object.keys(gate).length > 0 ? { gate } : {}),
    ...(form.maxCostUsd.trim() === "" ? {} : { maxCostUsd: Number(form.maxCostUsd) }),
  };
  for (const field of ["trials", "passRate", "maxCostUsd", "trialCostUsd", "p95LatencyMs"] as const) {
    const text = form[field];
    if (text.trim() !== "" && !Number.isFinite(Number(text))) problems[field] = "This is not a number.";
  }
  const read = readSuite({ ...settings, workflow: "w", dataset: "d" });
  if (!read.ok && Object.keys(problems).length === 0) {
    for (const problem of read.problems) {
      const field = fieldOf(problem);
      problems[field] ??= ranges[field] ?? problem;
    }
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, name, settings };
}

/** What a number has to be. */
const ranges: SettingsProblems = {
  trials: "A whole number from 1 to 1,000.",
  passRate: "A number from 0 to 100.",
  maxCostUsd: "A number of dollars, 0 or more.",
  trialCostUsd: "A number of dollars, 0 or more.",
  p95LatencyMs: "A number of milliseconds, 0 or more.",
  judge: "Choose a model.",
  simulatedUser: "Choose a model.",
  embeddings: "Choose a model.",
};

/** The fields by the paths of the settings. */
const paths: Readonly<Record<string, Exclude<keyof SettingsForm, "checks">>> = {
  trials: "trials",
  replay: "replay",
  "gate.passRate": "passRate",
  "gate.maxCostUsd": "trialCostUsd",
  "gate.p95LatencyMs": "p95LatencyMs",
  maxCostUsd: "maxCostUsd",
  matrix: "variants",
  liveTools: "liveTools",
  judge: "judge",
  simulatedUser: "simulatedUser",
  embeddings: "embeddings",
};

/** The field that a problem names, which begins with its path. */
function fieldOf(problem: string): Exclude<keyof SettingsForm, "checks"> {
  return Object.entries(paths).find(([path]) => problem.startsWith(`"${path}`))?.[1] ?? "defaultAssert";
}

const numberText = (value: Json | undefined) => (typeof value === "number" ? String(value) : "");

function listText(value: Json | undefined): string {
  if (!Array.isArray(value) || value.length === 0) return "";
  // One entry a line reads better than one field a line.
  return `[\n${value.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n]`;
}

/** The stored assertions of every case as rows and, where no row can show one, as JSON. */
function assertionsOf(stored: Json | undefined): Pick<SettingsForm, "checks" | "defaultAssert"> {
  const checks: CheckRow[] = [];
  const rest: Json[] = [];
  for (const [index, one] of (Array.isArray(stored) ? stored : []).entries()) {
    const read = assertionSchema.safeParse(one);
    const row = read.success ? rowOf(read.data, String(index)) : undefined;
    if (row) checks.push(row);
    else rest.push(one);
  }
  return { checks, defaultAssert: listText(rest) };
}

/** All that the form says about assertions, to see whether it was touched. */
function assertionsText({ checks, defaultAssert }: SettingsForm): string {
  return JSON.stringify([checks.map(({ kind, value, matchCase }) => [kind, value, matchCase]), defaultAssert]);
}

/** The assertions of rows and JSON together, and what is wrong with them. */
function readAssertions({ checks, defaultAssert }: SettingsForm): { list: Json[]; problems: SettingsProblems } {
  const list: Json[] = [];
  const wrong: Record<string, string> = {};
  for (const row of checks) {
    const read = assertionOf(row);
    if (read.ok) list.push(jsonOf(read.assertion));
    else wrong[row.key] = read.problem;
  }
  const problems: SettingsProblems = Object.keys(wrong).length > 0 ? { checks: wrong } : {};
  if (defaultAssert.trim() === "") return { list, problems };
  const rest = parseJson(defaultAssert);
  if (!Array.isArray(rest)) return { list, problems: { ...problems, defaultAssert: "This is not a list in JSON." } };
  return { list: [...list, ...rest], problems };
}

/** An assertion as it is written in a suite: its usual weight goes without saying. */
function jsonOf({ weight, ...rest }: Assertion): Json {
  return readJson(JSON.stringify(weight === 1 ? rest : { ...rest, weight }));
}
