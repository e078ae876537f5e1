import { z } from "zod/mini";

/**
 * Where a template's value goes; it is encoded for that place (SPEC §5). `sql`: a field's own text with templates becomes
 * `{ sql, parameters }`; texts within lists and objects are values.
 */
export type TemplatePlace = "text" | "url" | "header" | "json" | "sql" | "value";

/** Which control a form shows when the zod type alone does not say. */
export type FieldControl =
  | "text"
  | "textarea"
  | "number"
  | "switch"
  | "select"
  | "choices"
  | "json"
  | "code"
  | "credential"
  | "model-name"
  | "string-list"
  | "key-values"
  | "json-schema"
  | "parameters"
  | "mcp-tools"
  | "mcp-terms"
  | "mcp-apps"
  | "mcp-resources"
  | "mcp-prompts"
  | "hook-request"
  | "workflow"
  | "collection"
  | "conditions"
  | "schedule"
  | "time-zone";

/** What a form, the validator and the template resolver know about one config field, written beside its zod type. */
export interface FieldHints {
  label: string;
  help: string;
  control?: FieldControl;
  /** The field takes templates; the place decides the encoding. */
  template?: TemplatePlace;
  /**
   * The field says whose data it is (a session): each expression in it has to give a text that is not blank, or a number.
   * Only the field's default may name a path that does not exist; the field is then empty.
   */
  identity?: boolean;
  /** A template that is taken in the place of the untouched default where the data lacks the default's path. */
  defaultFallback?: string;
  /** Whether `{{ai(…)}}` may stand in it (tool nodes). */
  ai?: boolean;
  /** Fields of one section stand together; none = first section. */
  section?: string;
  /** What it stands under within its section. */
  heading?: string;
  placeholder?: string;
  /** Shown only while another field has one of these values. */
  visibleWhen?: { field: string; in: readonly (string | boolean)[] };
  /** What a new node begins with; the default then says only what holds where the field is absent, as in stored nodes. */
  startsAs?: string | boolean;
  /** For control `key-values`: a name may have several rows, whose values are stored as a list. */
  severalRows?: boolean;
  /** The value of the field where it is absent and one of these fields is filled in: what is listed counts although nobody turned it on. */
  impliedBy?: { fields: readonly string[]; value: string | boolean };
  /** For control `credential`: which credential types fit. */
  credentialTypes?: readonly string[];
  /** Empty text counts as missing. */
  required?: boolean;
  /** Texts to choose from in a text field that takes any other as well; `detail` says what one is. */
  suggestions?: readonly { value: string; detail: string }[];
  /** How choices are called whose names say too little; others are spelled out. */
  optionTitles?: Readonly<Record<string, string>>;
  /** Choices that a control offers and the zod type does not say, such as the operators of conditions. */
  options?: readonly string[];
  /** No form shows it: something else fills it. */
  hidden?: boolean;
  /** For control `code`: the variables that the code sees besides those of `codeNamesFrom`, and what each one is. */
  codeNames?: Readonly<Record<string, string>>;
  /** For control `code`: the field whose JSON Schema declares the code's variables as its properties. */
  codeNamesFrom?: string;
  /** For control `code`: the field whose keys are further variables of the code. */
  codeNamesOf?: string;
  /** For control `code`: what the code has to return. */
  codeReturns?: string;
  /** For control `code`: code that runs with whatever the node gets. */
  codeExample?: string;
}

/** What fields give once parsed: `ConfigOf<ReturnType<typeof toolFields>>`, or of a config's schema, `ConfigOf<typeof config.shape>`. */
export type ConfigOf<Fields extends z.core.$ZodShape> = z.infer<z.ZodMiniObject<Fields>>;

const hints = z.registry<FieldHints>();

/** Attaches hints to a zod type: `field(z._default(z.string(), ""), { label, help })`. */
export function field<Type extends z.core.$ZodType>(type: Type, fieldHints: FieldHints): Type {
  hints.add(type, fieldHints);
  return type;
}

/** The hints of a config field, if it has any. */
export function fieldHints(type: z.core.$ZodType): FieldHints | undefined {
  return hints.get(type);
}
