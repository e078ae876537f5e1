import { type ComponentType, Fragment, type ReactNode, useState } from "react";
import type { FieldDescription } from "../engine/config/describe-fields.ts";
import type { FieldControl } from "../engine/config/field.ts";
import { valueOf } from "../engine/config/field-values.ts";
import type { Json, JsonObject } from "../engine/json.ts";
import { Field } from "../ui/fields/field.tsx";
import { Icon } from "../ui/icons/icon.tsx";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Tooltip } from "../ui/overlays/tooltip.tsx";
import { ChoicesControl, SelectControl, SwitchControl } from "./choice-controls.tsx";
import { CodeControl } from "./code-control.tsx";
import { ConditionsControl } from "./conditions/conditions-control.tsx";
import type { SlotProps } from "./control-props.ts";
import { formSections } from "./form-sections.ts";
import { JsonControl, jsonProblem } from "./json-control.tsx";
import { KeyValuesControl, StringListControl } from "./list-controls.tsx";
import { isFilledByModel, modelFill } from "./model-fill.ts";
import { NumberControl } from "./number-control.tsx";
import { ScheduleControl, TimeZoneControl } from "./schedule/schedule-control.tsx";
import { SchemaControl } from "./schema/schema-control.tsx";
import { ExpressionWritingProvider } from "./template/expression-writing.ts";
import { aiWords } from "./template/insert-data.tsx";
import { TemplateControl } from "./template/template-control.tsx";
import { TextareaControl, TextControl } from "./text-control.tsx";

/** Controls that need the outside: credentials and models are listed by services, workflows by the library. */
type SlotControl = Extract<
  FieldControl,
  | "credential"
  | "model-name"
  | "workflow"
  | "collection"
  | "mcp-tools"
  | "mcp-terms"
  | "mcp-apps"
  | "mcp-resources"
  | "mcp-prompts"
  | "hook-request"
>;
export type FormSlots = Partial<Record<SlotControl, ComponentType<SlotProps>>>;

const controls: Record<Exclude<FieldControl, SlotControl>, ComponentType<SlotProps>> = {
  text: TextControl,
  textarea: TextareaControl,
  code: CodeControl,
  number: NumberControl,
  switch: SwitchControl,
  select: SelectControl,
  choices: ChoicesControl,
  json: JsonControl,
  "json-schema": SchemaControl,
  parameters: SchemaControl,
  conditions: ConditionsControl,
  "string-list": StringListControl,
  "key-values": KeyValuesControl,
  schedule: ScheduleControl,
  "time-zone": TimeZoneControl,
};

const slotControls: Record<SlotControl, true> = {
  credential: true,
  "model-name": true,
  workflow: true,
  collection: true,
  "mcp-tools": true,
  "mcp-terms": true,
  "mcp-apps": true,
  "mcp-resources": true,
  "mcp-prompts": true,
  "hook-request": true,
};

/** Controls of several parts. Each is a group of its own that carries the field's label. */
const groups: ReadonlySet<FieldControl> = new Set([
  "choices",
  "json-schema",
  "parameters",
  "conditions",
  "key-values",
  "mcp-tools",
  "mcp-terms",
  "mcp-apps",
  "mcp-resources",
  "mcp-prompts",
]);

function isSlot(control: FieldControl): control is SlotControl {
  return Object.hasOwn(slotControls, control);
}

interface ConfigFormProps {
  fields: readonly FieldDescription[];
  config: JsonObject;
  /** What is wrong, by field name. */
  problems: Readonly<Record<string, string>>;
  slots?: FormSlots;
  /** The field that a person was led to, so that what is wrong there shows at once. */
  shown?: string | undefined;
  /** Stores a field; undefined goes back to the default. */
  onChange(field: FieldDescription, value: Json | undefined): void;
  /** A control takes the focus: edits from here on are one undo step. */
  onEditStart?(field: FieldDescription): void;
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether one can hardly fill in the field without its help: it has to be filled in, or it offers a choice. */
function needsHelp({ required, default: usual, control, codeReturns }: FieldDescription): boolean {
  // What stands under the code says it at length.
  if (codeReturns !== undefined) return false;
  return required || usual === undefined || control === "select";
}

/** Whether a field holds nothing, or nothing but what it began with. */
function isUnfilled(field: FieldDescription, value: Json | undefined): boolean {
  return value === undefined || value === "" || same(value, field.default);
}

/** Says, once one comes to the field, that data of the run may stand in it. */
function DataMark({ ai }: { ai: boolean }) {
  const words =
    "Choose data with + in the field, or type {{json.name}}: the field “name” of what the node before gives.";
  return (
    <Tooltip content={ai ? `${words} ${aiWords}` : words} side="left">
      <span className="cursor-help px-1 text-xs text-muted opacity-0 transition-opacity duration-100 group-focus-within/field:opacity-100 group-hover/field:opacity-100">
        can use data
      </span>
    </Tooltip>
  );
}

function FormField({
  field,
  config,
  problems,
  slots,
  shown,
  onChange,
  onEditStart,
}: ConfigFormProps & { field: FieldDescription }) {
  // What other fields imply shows as it counts.
  const value = field.impliedBy ? valueOf(field, config) : config[field.name];
  const usual = field.startsAs ?? field.default;
  const changed = value !== undefined && usual !== undefined && !same(value, usual);
  const set = (next: Json | undefined) => onChange(field, next);
  const isJson = field.control === "json" || field.control === "json-schema" || field.control === "hook-request";
  const [isWriting, setWriting] = useState(false);
  const [isTouched, setTouched] = useState(false);
  // What nobody has filled in yet is not wrong; the mark on the card says that it is missing.
  const isFresh = !isTouched && shown !== field.name && isUnfilled(field, value);
  const error = isWriting || isFresh ? undefined : ((isJson ? jsonProblem(value) : undefined) ?? problems[field.name]);
  const fill = modelFill(field);
  const aside: ReactNode = (
    <span className="flex items-center">
      {changed && (
        <IconButton size="sm" icon="rotate-ccw" label="Reset to default" className="-my-1" onClick={() => set(usual)} />
      )}
      {fill !== undefined && !isFilledByModel(value) && (
        <IconButton
          size="sm"
          icon="sparkles"
          label="Let the model fill this"
          className="-my-1"
          onClick={() => set(fill)}
        />
      )}
      {field.template !== undefined && <DataMark ai={field.ai} />}
    </span>
  );
  return (
    <ExpressionWritingProvider value={setWriting}>
      <div
        className="group/field"
        data-field={field.name}
        onFocus={() => onEditStart?.(field)}
        onBlur={() => setTouched(true)}
      >
        <Field
          label={field.label}
          help={field.help === "" ? undefined : field.help}
          quietHelp={!needsHelp(field)}
          error={error}
          required={field.required}
          inline={field.control === "switch"}
          group={groups.has(field.control)}
          aside={aside}
        >
          {(control) => {
            const props = { field, value, onChange: set, control, config };
            if (isSlot(field.control)) {
              const Slot = slots?.[field.control];
              return Slot === undefined ? <TextControl {...props} /> : <Slot {...props} />;
            }
            const isText = field.control === "text" || field.control === "textarea";
            if (isText && field.template !== undefined) return <TemplateControl {...props} />;
            const templated = field.template !== undefined && typeof value === "string" && value.includes("{{");
            const isOneTemplate = field.control === "number" || (fill !== undefined && field.control !== "conditions");
            const Control = templated && isOneTemplate ? TemplateControl : controls[field.control];
            return <Control {...props} />;
          }}
        </Field>
      </div>
    </ExpressionWritingProvider>
  );
}

/** A form made from the description of a config: sections, controls, help, errors at the field. */
export function ConfigForm(props: ConfigFormProps) {
  return formSections(props.fields, props.config).map(({ title, fields }) => {
    const list = fields.map((field, index) => (
      <Fragment key={field.name}>
        {field.heading !== undefined && field.heading !== fields[index - 1]?.heading && (
          <h2 className="mt-1 border-b pb-1 text-xs font-medium text-muted not-first:mt-3">{field.heading}</h2>
        )}
        <FormField {...props} field={field} />
      </Fragment>
    ));
    if (title === undefined) {
      return (
        <div key="" className="flex flex-col gap-4">
          {list}
        </div>
      );
    }
    const wrong = fields.some((field) => problems(props, field));
    return (
      <details key={title} className="group mt-3 border-t pt-2" open={wrong || undefined}>
        <summary className="-mx-1 flex h-7 list-none items-center gap-1.5 rounded-md px-1 text-sm font-semibold select-none hover:bg-hover [&::-webkit-details-marker]:hidden">
          <span className="text-faint transition-transform duration-100 group-open:rotate-90">
            <Icon name="chevron-right" size={14} />
          </span>
          {title}
        </summary>
        <div className="flex flex-col gap-4 pt-3 pb-2">{list}</div>
      </details>
    );
  });
}

function problems(props: ConfigFormProps, field: FieldDescription): boolean {
  return props.problems[field.name] !== undefined;
}
