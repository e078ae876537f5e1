import type { Json, JsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import { fieldsOf, type NodeWork } from "./node-work.ts";

/** The kinds of personal data that are known here, by n8n's names of them. */
const kinds: Readonly<Record<string, string>> = {
  EMAIL_ADDRESS: "piiEmails",
  PHONE_NUMBER: "piiPhones",
  CREDIT_CARD: "piiCards",
  IBAN_CODE: "piiIbans",
};

const given = (value: Json | undefined) => value !== undefined && value !== null && value !== "";

/** What n8n checks, in the settings of one guardrails node; what it cannot check is in `lost`. */
class Checks {
  readonly config: JsonObject = {};
  readonly rules: string[] = [];
  readonly patterns: string[] = [];
  readonly lost: string[] = [];

  private readonly work: NodeWork;
  private readonly finding: "mask" | "fail";

  constructor(work: NodeWork, finding: "mask" | "fail") {
    this.work = work;
    this.finding = finding;
  }

  /** The parameters of one check; n8n keeps those of most below `value`. */
  at(...path: string[]): Json | undefined {
    return this.work.at("guardrails", ...path);
  }

  keywords(): void {
    const words = this.work.textOf(this.at("keywords"));
    if (words.includes("{{")) this.lost.push("words that are worked out when it runs");
    this.config.keywords = true;
    this.config.blockedWords = words.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  }

  jailbreak(): void {
    this.config.jailbreak = true;
    if (given(this.at("jailbreak", "value", "prompt"))) this.lost.push("its own prompt against jailbreaks");
    this.threshold("jailbreakThreshold", this.at("jailbreak", "value", "threshold"));
  }

  /** A rule in words, which a model judges; the strictest threshold of all counts. */
  rule(text: string, threshold: Json | undefined): void {
    this.config.moderation = true;
    if (text !== "") this.rules.push(text);
    this.threshold("moderationThreshold", threshold);
  }

  private threshold(name: string, value: Json | undefined): void {
    if (typeof value !== "number") return;
    const before = this.config[name];
    this.config[name] = Math.min(1, Math.max(0, typeof before === "number" ? Math.min(before, value) : value));
  }

  personalData(): void {
    this.config.pii = this.finding;
    const { entities } = fieldsOf(this.at("pii", "value"));
    if (this.work.word(["guardrails", "pii", "value", "type"], "all") === "all" || !Array.isArray(entities)) return;
    const names = entities.map(String);
    for (const [name, field] of Object.entries(kinds)) this.config[field] = names.includes(name);
    this.config.piiKeys = false;
    const unknown = names.filter((name) => !Object.hasOwn(kinds, name));
    if (unknown.length > 0) this.lost.push(`personal data of the kinds ${unknown.join(", ")}`);
  }

  keys(): void {
    if (this.config.pii === undefined) for (const field of Object.values(kinds)) this.config[field] = false;
    this.config.pii = this.finding;
    this.config.piiKeys = true;
    this.work.lack(["guardrails", "secretKeys"], "Keys of known vendors and tokens are found, whatever the strictness");
  }

  addresses(): void {
    const allowed = this.at("urls", "value", "allowedUrls");
    if (given(allowed)) this.lost.push("web addresses that are allowed");
    this.pattern("https?://[^\\s]+");
    this.work.lack(["guardrails", "urls"], "Every web address is found");
  }

  pattern(pattern: string): void {
    if (this.config.pii === undefined) {
      for (const field of [...Object.values(kinds), "piiKeys"]) this.config[field] = false;
    }
    this.config.pii = this.finding;
    this.patterns.push(pattern);
  }
}

const usualRule = "The text must not be sexual, hateful, violent, harassing, or encourage self-harm or crimes.";

function checksOf(work: NodeWork, finding: "mask" | "fail"): Checks {
  const checks = new Checks(work, finding);
  const is = (name: string) => Object.hasOwn(fieldsOf(work.node.parameters.raw["guardrails"]), name);
  if (is("keywords")) checks.keywords();
  if (is("jailbreak")) checks.jailbreak();
  if (is("nsfw")) {
    const prompt = work.textOf(checks.at("nsfw", "value", "prompt"));
    checks.rule(prompt || usualRule, checks.at("nsfw", "value", "threshold"));
  }
  if (is("topicalAlignment")) {
    const prompt = work.textOf(checks.at("topicalAlignment", "value", "prompt"));
    checks.rule(`The text stays on topic: ${prompt}`, checks.at("topicalAlignment", "value", "threshold"));
  }
  for (const { prompt, threshold } of work.list("guardrails", "custom", "guardrail"))
    checks.rule(work.textOf(prompt), threshold);
  if (is("pii")) checks.personalData();
  if (is("secretKeys")) checks.keys();
  if (is("urls")) checks.addresses();
  for (const { value } of work.list("guardrails", "customRegex", "regex"))
    checks.pattern(plainPattern(work.textOf(value)));
  if (checks.rules.some((rule) => rule.includes("{{"))) checks.lost.push("a rule that is worked out when it runs");
  return checks;
}

/** A pattern without the slashes around it. */
const plainPattern = (pattern: string) => /^\/(.+)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern;

/** n8n's Guardrails: what it checks a text for, or masks in it. A check that is lost would let pass what was held back. */
export function guardrailsNode(work: NodeWork): Made {
  const masks = work.word("operation", "classify") === "sanitize";
  const checks = checksOf(work, masks ? "mask" : "fail");
  const { config, rules, patterns, lost } = checks;
  if (lost.length > 0)
    return { outcome: "placeholder", note: `It would not check these as it did: ${lost.join(", ")}.` };
  return {
    type: "guardrails",
    config: {
      text: work.textOf(work.at("text")),
      ...config,
      ...(rules.length > 0 ? { moderationRule: rules.join("\n\n").slice(0, 10_000) } : {}),
      ...(patterns.length > 0 ? { piiPatterns: patterns } : {}),
    },
    input: (kind) => (kind === "main" ? "main" : kind === "ai_languageModel" ? "model" : undefined),
    output: (_kind, index) => (index === 0 ? "pass" : "fail"),
    outcome: "approximated",
    note: "It gives the text as “text”, and what did not pass with its reasons as “failed”. Look over what it checks for.",
  };
}
