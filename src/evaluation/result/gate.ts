import { bestLowerBound, trialsToProve } from "../statistics/wilson.ts";
import { percent } from "../statistics/words.ts";
import type { Gate } from "../suite/suite.ts";
import type { Comparison, GateCheck, VariantSummary } from "./evaluation.ts";

type Measured = Pick<VariantSummary, "interval" | "passRate" | "trials" | "unchecked" | "meanCostUsd" | "p95LatencyMs">;

/**
 * Whether a version shows what the gate asks for. It is failed where one check is; else there is too little evidence where one
 * check could not pass even if every trial had.
 */
export function checkGate(gate: Gate | undefined, measured: Measured, comparison?: Comparison): VariantSummary["gate"] {
  if (!gate) return { status: "none", checks: [] };
  const checks: GateCheck[] = [];
  if (measured.unchecked > 0) checks.push(checkChecked(measured));
  if (gate.passRate !== undefined) checks.push(checkPassRate(gate.passRate, gate.confidence, measured));
  // Limits of cost and time say nothing about answers, nor does a comparison with nothing: as without a gate, every trial has to pass.
  else if (!gate.noWorse || !comparison) checks.push(checkEveryTrial(measured));
  if (gate.maxCostUsd !== undefined) checks.push(checkCost(gate.maxCostUsd, measured));
  if (gate.p95LatencyMs !== undefined) checks.push(checkLatency(gate.p95LatencyMs, measured));
  if (gate.noWorse) checks.push(checkNoWorse(gate.confidence, comparison));
  const has = (status: GateCheck["status"]) => checks.some((check) => check.status === status);
  return { status: has("failed") ? "failed" : has("too-little-evidence") ? "too-little-evidence" : "passed", checks };
}

/** Nothing is known of what nothing checked, so it opens no gate. */
function checkChecked({ unchecked }: Measured): GateCheck {
  const words = unchecked === 1 ? "1 trial was not checked" : `${unchecked} trials were not checked`;
  const message = `${words}: their cases have neither an expected answer nor an assertion.`;
  return { name: "checked", status: "too-little-evidence", message };
}

function checkPassRate(passRate: number, confidence: number, { interval, trials }: Measured): GateCheck {
  const { low, high } = interval;
  const shown = `between ${percent(low)} and ${percent(high)} at ${percent(confidence)} confidence`;
  const name = "passRate" as const;
  if (trials > 0 && low >= passRate)
    return { name, status: "passed", message: `The pass rate is ${shown}, so it reaches ${percent(passRate)}.` };
  // Where the whole interval lies below, enough is known.
  const isSettled = trials > 0 && high < passRate;
  if (trials === 0 || (!isSettled && bestLowerBound(trials, confidence) < passRate)) {
    const needed = trialsToProve(passRate, confidence);
    const words =
      needed === Infinity
        ? "no number of trials can prove 100 %"
        : `${trials} ${trials === 1 ? "trial" : "trials"} cannot prove ${percent(passRate)} even if all pass; it takes at least ${needed}`;
    return { name, status: "too-little-evidence", message: `Too little evidence: ${words}.` };
  }
  return {
    name,
    status: "failed",
    message: `The pass rate is ${shown}; its lower bound has to reach ${percent(passRate)}.`,
  };
}

function checkEveryTrial({ passRate }: Measured): GateCheck {
  const name = "passRate" as const;
  if (passRate === null) return { name, status: "too-little-evidence", message: "No trial counts." };
  if (passRate === 1) return { name, status: "passed", message: "Every trial passed." };
  return {
    name,
    status: "failed",
    message: "A trial failed, and the gate names no pass rate that would allow for it.",
  };
}

function checkCost(most: number, { meanCostUsd, trials }: Measured): GateCheck {
  const name = "maxCostUsd" as const;
  if (trials === 0)
    return { name, status: "too-little-evidence", message: "No trial counts, so its cost is not known." };
  if (meanCostUsd === null)
    return { name, status: "failed", message: "The price of a model is not known. Set it at the model." };
  const message = `A trial costs $${Number(meanCostUsd.toPrecision(4))} on average; up to $${most} is allowed.`;
  return { name, status: meanCostUsd <= most ? "passed" : "failed", message };
}

function checkLatency(most: number, { p95LatencyMs }: Measured): GateCheck {
  const name = "p95LatencyMs" as const;
  if (p95LatencyMs === null)
    return { name, status: "too-little-evidence", message: "No trial counts, so its time is not known." };
  const message = `95 of 100 trials take up to ${Math.round(p95LatencyMs)} ms; up to ${most} ms are allowed.`;
  return { name, status: p95LatencyMs <= most ? "passed" : "failed", message };
}

function checkNoWorse(confidence: number, comparison: Comparison | undefined): GateCheck {
  const name = "noWorse" as const;
  if (!comparison) return { name, status: "skipped", message: "There is nothing to compare with. Give a baseline." };
  const { against, worse, difference, pValue, cases } = comparison;
  if (worse.length > 0) return { name, status: "failed", message: `Worse than ${against}: ${worse.join(", ")}.` };
  if (cases === 0) return { name, status: "too-little-evidence", message: comparison.words };
  if (difference < 0 && pValue < 1 - confidence)
    return { name, status: "failed", message: `On the whole it is worse than ${against}. ${comparison.words}` };
  return { name, status: "passed", message: `No case is worse than in ${against}.` };
}
