import { isJsonObject } from "../../engine/json.ts";
import type { Leaf, Reason } from "../parameters.ts";

const rules: readonly { fits(key: string, leaf: Leaf): boolean; why: string }[] = [
  {
    // { "__rl": true, "mode": "list", "value": "…", "cachedResultName": "…" }
    fits: (key, { parent }) => isJsonObject(parent) && "__rl" in parent && key !== "value",
    why: "How the editor shows the choice; the choice itself is the value.",
  },
  { fits: (key) => /^cachedResult(?:Name|Url)$/.test(key), why: "How the editor shows the choice." },
  {
    fits: (_key, { keys }) => keys.includes("schema") && keys[keys.indexOf("schema") - 1] === "columns",
    why: "The columns as the editor last saw them.",
  },
  {
    fits: (key, { keys }) => keys.at(-2) === "columns" && /^(?:attemptToConvertTypes|convertFieldsToString)$/.test(key),
    why: "How the editor checks values; they are sent as they are.",
  },
  {
    // Rows of assignments, conditions and rules have an id of their own; elsewhere it may be that of what is changed.
    fits: (key, { keys, parent }) =>
      key === "id" &&
      /(?:^|\.)(?:assignments|conditions|rules(?:\.(?:rules|values))?)\.\d+\.id$/.test(keys.join(".")) &&
      isJsonObject(parent) &&
      Object.keys(parent).length > 1,
    why: "The editor's own number of the row.",
  },
  {
    fits: (key, { keys }) =>
      /^(?:looseTypeValidation|typeValidation)$/.test(key) || (key === "version" && keys.at(-2) === "options"),
    why: "How n8n checks the types of a condition.",
  },
  {
    fits: (key, { keys }) => keys.at(-2) === "operator" && /^(?:name|rightType|singleValue)$/.test(key),
    why: "How the editor shows the comparison.",
  },
  {
    fits: (key) => /^(?:hasOutputParser|needsFallback)$/.test(key),
    why: "Whether something can be connected; what is connected says it.",
  },
  { fits: (key) => key === "renameOutput", why: "Whether the way has a name; it has it." },
  {
    fits: (key, { value }) => key === "mappingMode" && value === "defineBelow",
    why: "How the editor asks for the values.",
  },
  { fits: (key) => key === "appendAttribution", why: "A line about n8n at the end of the message." },
  {
    fits: (key) => /^(?:authentication|nodeCredentialType|genericAuthType|credentialType)$/.test(key),
    why: "Which kind of credential it used; choose one here.",
  },
];

/** Why a parameter that nothing was made of has no effect here; undefined where it may have one. */
export function withoutEffect(leaf: Leaf): Reason | undefined {
  const key = leaf.keys.at(-1) ?? "";
  const rule = rules.find(({ fits }) => fits(key, leaf));
  return rule && { why: rule.why, isWithoutEffect: true };
}

const settings: Readonly<Record<string, Reason>> = {
  webhookId: { why: "It has another address here.", isWithoutEffect: true },
  notesInFlow: { why: "A card here shows that it has notes.", isWithoutEffect: true },
  alwaysOutputData: { why: "A node here always gives something, if only an empty list.", isWithoutEffect: true },
  executeOnce: {
    why: "It ran for the first item only; here it runs for all of its input.",
    isWithoutEffect: false,
  },
  onError: { why: "This kind of node ends the run when it fails.", isWithoutEffect: false },
  continueOnFail: { why: "This kind of node ends the run when it fails.", isWithoutEffect: false },
  retryOnFail: { why: "This kind of node is not repeated by itself.", isWithoutEffect: false },
};

/** Why a setting that n8n's nodes of all kinds have is not one here. */
export function settingReason({ keys: [key = ""], value }: Leaf): Reason | undefined {
  if (value === false || value === "stopWorkflow") return { why: "As it is here.", isWithoutEffect: true };
  if (key === "maxTries" || key === "waitBetweenTries") return { why: "How it was repeated.", isWithoutEffect: true };
  return Object.hasOwn(settings, key) ? settings[key] : undefined;
}

const workflowSettings: Readonly<Record<string, Reason>> = {
  errorWorkflow: {
    why: "Choose the workflow that starts when this one fails in its publication settings.",
    isWithoutEffect: false,
  },
  executionTimeout: { why: "The time limit is set when the workflow is published.", isWithoutEffect: false },
};

/** Why a setting of n8n's workflow is not one here: those of its server and its lists make no difference. */
export function workflowReason({ keys: [key = ""] }: Leaf): Reason {
  const known = Object.hasOwn(workflowSettings, key) ? workflowSettings[key] : undefined;
  return known ?? { why: "How n8n's server kept and showed it.", isWithoutEffect: true };
}

/** How fast, how often and in which look something is sent, by the last key or by a group of options; not what is sent. */
const waySettings =
  /^(?:allowUnauthorizedCerts|descriptionType|disable_notification|disable_web_page_preview|emailFormat|emailType|importance|inputType|messageType|previewUrl|returnAll|select|simple|timeout|useDefaultReminders)$/;
const wayGroups = /^(?:batching|pagination|proxy|redirect|response|retry)$/;

/**
 * Whether a parameter says how something is sent and not what, to whom or for which rows. What is not known to be of that
 * kind is not.
 */
export function isOfTheWay({ keys }: Leaf): boolean {
  return waySettings.test(keys.at(-1) ?? "") || (keys[0] === "options" && wayGroups.test(keys[1] ?? ""));
}
