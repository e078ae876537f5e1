import { z } from "zod/mini";
import { field, type FieldHints } from "../../../engine/config/field.ts";
import { jsonSchemaValue } from "../../../engine/config/schema-problem.ts";
import { onErrorField } from "../error-field.ts";

const moderationRule =
  "The text must hold none of these: hate against a group; harassment or threats; sexual content that is explicit or involves minors; encouragement of self-harm; instructions for violence, weapons or crimes; praise of terrorism.";

const personalData = "Kinds of personal data";
const words = "Words";
const length = "Limits of the length";
const schema = "Schema of the JSON";

/** All switches stand together; what belongs to one of them has a section below while it is on. */
const turnedOn = (label: string, help: string, ...filled: string[]) =>
  field(z._default(z.boolean(), false), {
    label,
    help,
    ...(filled.length > 0 ? { impliedBy: { fields: filled, value: true } } : {}),
  });

const piiOn: Pick<FieldHints, "section" | "visibleWhen"> = {
  section: personalData,
  visibleWhen: { field: "pii", in: ["mask", "fail"] },
};
const kind = (label: string, help: string) => field(z._default(z.boolean(), true), { label, help, ...piiOn });

const threshold = (checked: "moderation" | "jailbreak", label: string) =>
  field(z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.7), {
    label,
    help: "How sure the model has to be for the text to fail, from 0 to 1. Lower is stricter.",
    section: checked === "moderation" ? "Rule of moderation" : "Strictness against jailbreaks",
    visibleWhen: { field: checked, in: [true] },
  });

/** The form of the node: each check is turned on by itself. */
export const config = z.object({
  text: field(z._default(z.string().check(z.maxLength(1_000_000)), "{{json.message}}"), {
    label: "Text",
    help: "The text to check. Unchanged: the message that came in, or the answer of the agent before it.",
    control: "textarea",
    template: "text",
    defaultFallback: "{{json.response}}",
  }),
  pii: field(z._default(z.enum(["off", "mask", "fail"]), "off"), {
    label: "Personal data",
    help: "Mask: it is blacked out, and the text passes. Fail: the text does not pass.",
    optionTitles: { off: "Not checked", mask: "Mask", fail: "Fail" },
    impliedBy: { fields: ["piiPatterns"], value: "mask" },
  }),
  piiEmails: kind("E-mail addresses", "Such as ada@example.org."),
  piiPhones: kind("Phone numbers", "With a country code (+49 30 1234567), or as (555) 123-4567."),
  piiCards: kind("Card numbers", "13 to 19 digits whose check digit fits."),
  piiIbans: kind("Bank account numbers", "IBANs whose check digits fit."),
  piiKeys: kind("Keys and tokens", "API keys of known vendors, bearer tokens, JSON Web Tokens, private keys."),
  piiPatterns: field(
    z._default(z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(20)), []),
    {
      label: "Own patterns",
      help: "Regular expressions (RE2), such as EMP-[0-9]+.",
      ...piiOn,
    },
  ),
  keywords: turnedOn("Blocked words", "The text fails when it contains one of the words.", "blockedWords"),
  blockedWords: field(
    z._default(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(500)), []),
    {
      label: "Words and phrases",
      help: "Found as whole words, in upper or lower case.",
      section: words,
      visibleWhen: { field: "keywords", in: [true] },
    },
  ),
  length: turnedOn("Length", "The text fails when it is too short or too long.", "minLength", "maxLength"),
  minLength: field(z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 1), {
    label: "At least",
    help: "Characters.",
    section: length,
    visibleWhen: { field: "length", in: [true] },
  }),
  maxLength: field(z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 4_000), {
    label: "At most",
    help: "Characters.",
    section: length,
    visibleWhen: { field: "length", in: [true] },
  }),
  schema: turnedOn("JSON Schema", "The text fails when it is not JSON that fits a schema.", "jsonSchema"),
  jsonSchema: field(z._default(z.nullable(jsonSchemaValue()), null), {
    label: "Schema",
    help: "Empty: any JSON.",
    control: "json-schema",
    section: schema,
    visibleWhen: { field: "schema", in: [true] },
  }),
  moderation: turnedOn(
    "Moderation",
    "A model judges whether the text breaks a rule.",
    "moderationRule",
    "moderationThreshold",
  ),
  moderationRule: field(z._default(z.string().check(z.minLength(1), z.maxLength(10_000)), moderationRule), {
    label: "Rule",
    help: "What the text must not contain, in plain words.",
    control: "textarea",
    section: "Rule of moderation",
    visibleWhen: { field: "moderation", in: [true] },
  }),
  moderationThreshold: threshold("moderation", "Threshold of moderation"),
  jailbreak: turnedOn(
    "Jailbreak",
    "A model judges whether the text tries to take control of the agent.",
    "jailbreakThreshold",
  ),
  jailbreakThreshold: threshold("jailbreak", "Threshold of jailbreak"),
  timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(600_000)), 60_000), {
    label: "Time limit (ms)",
    help: "How long each check by a model may take. When the time is over, the text fails.",
    section: "Errors",
  }),
  answer: field(z._default(z.string().check(z.maxLength(10_000)), "Sorry, I cannot help with that."), {
    label: "Answer when it fails",
    help: "What a chat shows when the text fails. It is the response on the Fail output.",
    control: "textarea",
    template: "text",
    section: "Result",
  }),
  onError: onErrorField,
});

/** The settings of the node, once parsed. */
export type GuardrailsConfig = z.infer<typeof config>;
