import { z } from "zod/mini";
import { isJsonObject, type Json } from "../json.ts";
import { boundsOf } from "./bounds.ts";
import { fieldHints, type FieldControl, type FieldHints, type TemplatePlace } from "./field.ts";

/** One config field in plain data: forms, the inspector, the validator and the command line derive everything from it. */
export interface FieldDescription {
  name: string;
  label: string;
  help: string;
  control: FieldControl;
  /** Where a template's value goes; absent when the field takes no templates. */
  template?: TemplatePlace;
  /** It says whose data it is: nothing empty may be inserted. */
  identity: boolean;
  /** Whether `{{ai(…)}}` may stand in the field. */
  ai: boolean;
  /** What an untouched field holds; absent when there is none. */
  default?: Json;
  /** What a new node has in its place. */
  startsAs?: FieldHints["startsAs"];
  /** A name may have several rows. */
  severalRows?: boolean;
  /** Taken in its place where the data lacks the default's path. */
  defaultFallback?: string;
  /** Bounds of a number, or of a text's or list's length. */
  min?: number;
  max?: number;
  /** Whole numbers only. */
  integer: boolean;
  /** The choices of a select, in order. */
  options?: readonly string[];
  /** What some of them are called. */
  optionTitles?: Readonly<Record<string, string>>;
  /** Texts to choose from besides typing. */
  suggestions?: FieldHints["suggestions"];
  /** Empty counts as missing. */
  required: boolean;
  /** May be absent. */
  optional: boolean;
  /** No form shows it. */
  hidden?: boolean;
  section?: string;
  /** What it stands under within the section. */
  heading?: string;
  visibleWhen?: FieldHints["visibleWhen"];
  impliedBy?: FieldHints["impliedBy"];
  credentialTypes?: readonly string[];
  placeholder?: string;
  /** Variables that code in the field sees, and what each one is. */
  codeNames?: Readonly<Record<string, string>>;
  /** The field whose JSON Schema declares further variables. */
  codeNamesFrom?: string;
  /** The field whose keys are further variables. */
  codeNamesOf?: string;
  /** What the code has to return. */
  codeReturns?: string;
  /** Code that runs with whatever the node gets. */
  codeExample?: string;
}

/** A zod type without its wrappers, and what the wrappers said. */
interface Unwrapped {
  inner: z.core.$ZodType;
  hints?: FieldHints;
  default?: Json;
  hasDefault: boolean;
  optional: boolean;
}

function unwrap(type: z.core.$ZodType): Unwrapped {
  const found: Unwrapped = { inner: type, hasDefault: false, optional: false };
  for (;;) {
    const current = found.inner;
    found.hints ??= fieldHints(current);
    if (current instanceof z.core.$ZodDefault || current instanceof z.core.$ZodPrefault) {
      const { defaultValue, innerType } = current._zod.def;
      if (!found.hasDefault) found.default = jsonOf(defaultValue);
      found.hasDefault = true;
      found.inner = innerType;
    } else if (current instanceof z.core.$ZodOptional || current instanceof z.core.$ZodNullable) {
      found.optional = true;
      found.inner = current._zod.def.innerType;
    } else if (current instanceof z.core.$ZodPipe) {
      found.inner = current._zod.def.in;
    } else {
      return found;
    }
  }
}

function controlFor(type: z.core.$ZodType): FieldControl {
  if (type instanceof z.core.$ZodNumber) return "number";
  if (type instanceof z.core.$ZodBoolean) return "switch";
  if (type instanceof z.core.$ZodEnum || type instanceof z.core.$ZodLiteral) return "select";
  if (type instanceof z.core.$ZodArray && type._zod.def.element instanceof z.core.$ZodString) return "string-list";
  if (type instanceof z.core.$ZodRecord) return "key-values";
  if (type instanceof z.core.$ZodString) return "text";
  return "json";
}

function optionsOf(type: z.core.$ZodType): readonly string[] | undefined {
  if (type instanceof z.core.$ZodEnum) return Object.values(type._zod.def.entries).map(String);
  if (type instanceof z.core.$ZodLiteral) return type._zod.def.values.map(String);
  return undefined;
}

/** "maxIterations" → "Max iterations", for a field that was given no label. */
function labelFromName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const cache = new WeakMap<z.ZodMiniObject, readonly FieldDescription[]>();

/**
 * The fields of a config schema in their order. The control follows from the zod type when the hints name none; a field
 * without hints gets a label made from its name. The same array comes back for the same schema.
 */
export function describeFields(schema: z.ZodMiniObject): readonly FieldDescription[] {
  const known = cache.get(schema);
  if (known) return known;
  const described = Object.entries(schema.shape).map(([name, type]) => describeField(name, type));
  cache.set(schema, described);
  return described;
}

function describeField(name: string, type: z.core.$ZodType): FieldDescription {
  const { inner, hints, default: defaultValue, hasDefault, optional } = unwrap(type);
  return {
    name,
    label: hints?.label ?? labelFromName(name),
    help: hints?.help ?? "",
    control: hints?.control ?? controlFor(inner),
    template: hints?.template,
    identity: hints?.identity ?? false,
    ai: hints?.ai ?? false,
    ...(hasDefault ? { default: defaultValue } : {}),
    defaultFallback: hints?.defaultFallback,
    ...boundsOf(inner),
    options: hints?.options ?? optionsOf(inner),
    ...(hints?.optionTitles ? { optionTitles: hints.optionTitles } : {}),
    ...(hints?.suggestions ? { suggestions: hints.suggestions } : {}),
    required: hints?.required ?? false,
    optional,
    hidden: hints?.hidden,
    section: hints?.section,
    ...(hints?.heading ? { heading: hints.heading } : {}),
    visibleWhen: hints?.visibleWhen,
    ...(hints?.startsAs === undefined ? {} : { startsAs: hints.startsAs }),
    ...(hints?.severalRows ? { severalRows: true } : {}),
    ...(hints?.impliedBy ? { impliedBy: hints.impliedBy } : {}),
    credentialTypes: hints?.credentialTypes,
    placeholder: hints?.placeholder,
    codeNames: hints?.codeNames,
    codeNamesFrom: hints?.codeNamesFrom,
    codeNamesOf: hints?.codeNamesOf,
    ...(hints?.codeReturns ? { codeReturns: hints.codeReturns } : {}),
    ...(hints?.codeExample ? { codeExample: hints.codeExample } : {}),
  };
}

/** A value as JSON, or undefined when it is none (a function, undefined, NaN). Plain JSON comes back as it is. */
function jsonOf(value: unknown): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.every((item) => jsonOf(item) !== undefined) ? value : undefined;
  if (isJsonObject(value)) return Object.values(value).every((item) => jsonOf(item) !== undefined) ? value : undefined;
  return undefined;
}
