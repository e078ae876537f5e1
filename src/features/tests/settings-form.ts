import {
  type MissMode,
  missModes,
  type PublishingMode,
  publishingModes,
  readSuite,
  type ReplayMode,
  replayModes,
} from "../../evaluation/suite/suite.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../../engine/json.ts";

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
  /** JSON. */
  defaultAssert: string;
  matrix: string;
  /** Names, one a line. */
  liveTools: string;
  approve: boolean;
  judge: ModelForm | null;
  simulatedUser: ModelForm | null;
  embeddings: ModelForm | null;
}

/** A model besides the agent's. */
export interface ModelForm {
  provider: string;
  model: string;
  /** Id of a credential; empty where the provider needs none. */
  credential: string;
}

export type SettingsProblems = Partial<Record<keyof SettingsForm, string>>;

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
    defaultAssert: listText(defaultAssert),
    matrix: listText(matrix),
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
  return { provider: text(provider), model: text(model), credential: text(credential) };
}

/** The typed settings, or what is wrong by field. What the form does not show stays as it was. */
export function readForm(
  form: SettingsForm,
  before: JsonObject,
): { ok: true; name: string; settings: JsonObject } | { ok: false; problems: SettingsProblems } {
  const problems: SettingsProblems = {};
  const name = form.name.trim();
  if (name === "") problems.name = "A suite needs a name.";
  const list = (field: "defaultAssert" | "matrix"): Json => {
    if (form[field].trim() === "") return [];
    try {
      const value = readJson(form[field]);
      if (Array.isArray(value)) return value;
    } catch {
      // Told below.
    }
    problems[field] = "This is not a list in JSON.";
    return [];
  };
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
  const settings: JsonObject = {
    ...kept,
    trials: Number(form.trials),
    replay: form.replay,
    onMiss: form.onMiss,
    defaultAssert: list("defaultAssert"),
    matrix: list("matrix"),
    liveTools: form.liveTools
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    approve: form.approve,
    publishing: form.publishing,
    ...(form.judge ? { judge: { ...pricesFor(form.judge, _judge), ...form.judge } } : {}),
    ...(form.simulatedUser
      ? { simulatedUser: { ...pricesFor(form.simulatedUser, _user), ...form.simulatedUser } }
      : {}),
    ...(form.embeddings ? { embeddings: { ...pricesFor(form.embeddings, _vectors), ...form.embeddings } } : {}),
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
const paths: Readonly<Record<string, keyof SettingsForm>> = {
  trials: "trials",
  replay: "replay",
  "gate.passRate": "passRate",
  "gate.maxCostUsd": "trialCostUsd",
  "gate.p95LatencyMs": "p95LatencyMs",
  maxCostUsd: "maxCostUsd",
  matrix: "matrix",
  liveTools: "liveTools",
  judge: "judge",
  simulatedUser: "simulatedUser",
  embeddings: "embeddings",
};

/** The field that a problem names, which begins with its path. */
function fieldOf(problem: string): keyof SettingsForm {
  return Object.entries(paths).find(([path]) => problem.startsWith(`"${path}`))?.[1] ?? "defaultAssert";
}

const numberText = (value: Json | undefined) => (typeof value === "number" ? String(value) : "");

function listText(value: Json | undefined): string {
  if (!Array.isArray(value) || value.length === 0) return "";
  // One entry a line reads better than one field a line.
  return `[\n${value.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n]`;
}

/** The prices that a model had before, as long as it stays the same one. */
function pricesFor({ provider, model }: ModelForm, before: Json | undefined): JsonObject {
  if (!isJsonObject(before) || before["provider"] !== provider || before["model"] !== model) return {};
  const { inputPrice, outputPrice } = before;
  return { ...(inputPrice === undefined ? {} : { inputPrice }), ...(outputPrice === undefined ? {} : { outputPrice }) };
}
