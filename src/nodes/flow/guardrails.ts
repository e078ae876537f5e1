import { describeFields } from "../../engine/config/describe-fields.ts";
import { withImplied } from "../../engine/config/field-values.ts";
import { type ConfigFinding, defineNode } from "../../engine/document/define-node.ts";
import { maybe, one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { JsonObject } from "../../engine/json.ts";
import { config } from "./guardrails/config.ts";

/** Which switches of the form ask a model. */
const modelSwitches = ["moderation", "jailbreak"] as const;

/** A list that is filled turns its check on where nobody said otherwise. */
const completed = (raw: JsonObject) => withImplied(describeFields(config), raw);

function turnedOnIn(given: JsonObject): string[] {
  const raw = completed(given);
  return [
    ...(raw["pii"] === "mask" ? ["masks personal data"] : raw["pii"] === "fail" ? ["personal data"] : []),
    ...(raw["keywords"] === true ? ["words"] : []),
    ...(raw["length"] === true ? ["length"] : []),
    ...(raw["schema"] === true ? ["JSON"] : []),
    ...modelSwitches.filter((name) => raw[name] === true),
  ];
}

/** Roughly: a run reads it as RE2 does, which loads with the first run. */
function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern.replace(/^\(\?[ims]+\)/, ""), "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function findings(given: JsonObject): ConfigFinding[] {
  const raw = completed(given);
  const found: ConfigFinding[] = [];
  const error = (name: string, message: string, hint: string) =>
    found.push({ field: name, severity: "error", message, hint });
  if (turnedOnIn(raw).length === 0) {
    const hint = "Turn on at least one check.";
    found.push({ field: "pii", severity: "warning", message: "No check is on, so every text passes.", hint });
  }
  const { minLength = 1, maxLength = 4_000, blockedWords = [], piiPatterns = [] } = raw;
  if (raw["keywords"] === true && Array.isArray(blockedWords) && blockedWords.length === 0)
    error("blockedWords", "There are no words to look for.", "Add a word, or turn the check off.");
  if (raw["length"] === true && Number(minLength) > Number(maxLength))
    error("minLength", "The least length is above the greatest.", "Swap them.");
  for (const pattern of raw["pii"] !== "off" && Array.isArray(piiPatterns) ? piiPatterns : []) {
    if (typeof pattern === "string" && !isRegularExpression(pattern))
      error("piiPatterns", `"${pattern}" is not a regular expression.`, "Correct the pattern, or remove it.");
  }
  return found;
}

export const guardrails = defineNode({
  type: "guardrails",
  version: 1,
  role: "flow",
  decides: "passage",
  title: "Guardrails",
  summary: "Checks a text before or after an agent and continues with Pass or Fail.",
  icon: "shield-check",
  config,
  inputs: { main: one("main", { label: "Input" }), model: maybe("model", { label: "Model", side: "bottom" }) },
  outputs: { pass: out("main", { label: "Pass" }), fail: out("main", { label: "Fail" }) },
  reach: nowhere,
  errorOutput: "fail",
  needs: (raw) => (modelSwitches.some((name) => completed(raw)[name] === true) ? ["model"] : []),
  describe(raw) {
    const line = turnedOnIn(raw).join(" · ");
    return line === "" ? "No check is on" : `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  },
  check: findings,
  load: () => import("./guardrails.run.ts"),
});
