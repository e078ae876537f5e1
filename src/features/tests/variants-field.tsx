import { useId, useRef } from "react";
import { newId } from "../../state/shared/new-id.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { PriceInputs } from "../../forms/price-inputs.tsx";
import { nodeRegistry } from "../../nodes/index.ts";
import { providers } from "../../providers/index.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { CredentialChoice } from "./credential-choice.tsx";
import { isUnlisted, noPrices } from "./model-price.ts";
import { emptyVariant, type VariantRow } from "./variant-rows.ts";

interface VariantsFieldProps {
  rows: readonly VariantRow[];
  /** What is wrong, by the keys of rows. */
  problems: Readonly<Record<string, string>>;
  error?: string;
  document: WorkflowDocument;
  onChange(rows: readonly VariantRow[]): void;
}

/** Vendors whose model has a node that may take another's place. */
const offered = providers.filter(({ id }) => definitionOf(nodeRegistry, `${id}-model`) !== undefined);

/** The versions of the workflow that are compared, one a row. */
export function VariantsField({ rows, problems, error, document, onChange }: VariantsFieldProps) {
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const nodes = Object.values(document.nodes).filter(({ type }) => definitionOf(nodeRegistry, type)?.role === "model");
  const append = () => {
    // The first one is compared with the workflow as it is.
    const more = rows.length === 0 ? [emptyVariant(newId()), emptyVariant(newId())] : [emptyVariant(newId())];
    onChange([...rows, ...more]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("li:last-child select")?.focus());
  };
  const remove = (key: string) => {
    onChange(rows.filter((row) => row.key !== key));
    add.current?.focus();
  };
  return (
    <Field
      label="Versions to compare"
      group
      help={
        rows.length === 0
          ? "The workflow is tried as it is saved. Add versions with other models to compare them."
          : "The first one is what the others are compared with. What is empty is as in the workflow."
      }
      {...(error === undefined ? {} : { error })}
    >
      {() => (
        <div className="flex flex-col items-start gap-2">
          {rows.length > 0 && (
            <ul ref={list} aria-label="Versions to compare" className="flex w-full flex-col gap-2">
              {rows.map((row, index) => (
                <VariantLine
                  key={row.key}
                  row={row}
                  number={index + 1}
                  nodes={nodes}
                  problem={problems[row.key]}
                  onChange={(part) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...part } : one)))}
                  onRemove={() => remove(row.key)}
                />
              ))}
            </ul>
          )}
          <Button ref={add} size="sm" icon="plus" onClick={append}>
            Add version
          </Button>
        </div>
      )}
    </Field>
  );
}

interface VariantLineProps {
  row: VariantRow;
  number: number;
  /** The models of the workflow. */
  nodes: readonly NodeRecord[];
  problem: string | undefined;
  onChange(part: Partial<VariantRow>): void;
  onRemove(): void;
}

function VariantLine({ row, number, nodes, problem, onChange, onRemove }: VariantLineProps) {
  const id = useId();
  const { nodeId, provider, model } = row;
  const node =
    nodes.find((one) => one.id === nodeId || one.title === nodeId) ?? (nodes.length === 1 ? nodes[0] : undefined);
  const vendorId = provider === "" ? (node?.type.replace(/-model$/, "") ?? "") : provider;
  const vendor = offered.find((each) => each.id === vendorId);
  const isPriced = row.inputPrice !== "" || row.outputPrice !== "";
  return (
    <li
      aria-label={`Version ${number}`}
      {...(problem === undefined ? {} : { "aria-describedby": `${id}-problem` })}
      className="flex flex-col gap-3 rounded-md border p-3"
    >
      <div className="grid items-start gap-3 pr-1 sm:grid-cols-[1fr_1fr_1fr_auto]">
        {(nodes.length > 1 || nodeId !== "") && (
          <Field label="Model node">
            {(control) => (
              <Select
                {...control}
                value={node?.id ?? nodeId}
                onValueChange={(next) => onChange({ nodeId: next })}
                options={[
                  { value: "", label: "Choose a node" },
                  ...(nodeId !== "" && node === undefined ? [{ value: nodeId, label: nodeId }] : []),
                  ...nodes.map((one) => ({ value: one.id, label: one.title })),
                ]}
              />
            )}
          </Field>
        )}
        <Field label="Provider">
          {(control) => (
            <Select
              {...control}
              value={provider}
              onValueChange={(next) =>
                onChange({
                  provider: next,
                  model: offered.find((each) => each.id === next)?.suggestedModels[0] ?? "",
                  credential: "",
                  ...noPrices,
                })
              }
              options={[
                { value: "", label: "As in the workflow" },
                ...(provider !== "" && vendor === undefined ? [{ value: provider, label: provider }] : []),
                ...offered.map((each) => ({ value: each.id, label: each.title })),
              ]}
            />
          )}
        </Field>
        <Field label="Model">
          {(control) => (
            <Combobox
              control={control}
              value={model}
              onChange={(next) => onChange({ model: next, ...noPrices })}
              options={(vendor?.suggestedModels ?? []).map((one) => ({ value: one }))}
              placeholder="As in the workflow"
            />
          )}
        </Field>
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              maxLength={100}
              autoComplete="off"
              placeholder="As the model is called"
              value={row.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <IconButton
          icon="x"
          label={`Remove version ${number}`}
          className="sm:col-start-[-2] sm:row-start-1 sm:mt-6"
          onClick={onRemove}
        />
      </div>
      {provider !== "" && vendor !== undefined && vendor.credentialTypes.length > 0 && (
        <CredentialChoice
          label="Credential"
          types={vendor.credentialTypes}
          value={row.credential}
          onChange={(credential) => onChange({ credential })}
        />
      )}
      {(isPriced || ((node !== undefined || provider !== "") && isUnlisted(vendorId, model))) && (
        <PriceInputs
          reason={`The price of ${model || "this model"} is not known. A suite with a budget needs it.`}
          draft={{ input: row.inputPrice, output: row.outputPrice }}
          onChange={({ input, output }) => onChange({ inputPrice: input, outputPrice: output })}
        />
      )}
      <details open={problem !== undefined || undefined}>
        <summary className="w-fit cursor-pointer rounded-sm text-xs font-medium text-muted hover:text-ink">
          Other settings, as JSON
        </summary>
        <div className="pt-2">
          <Textarea
            mono
            rows={1}
            aria-label={`Other settings of version ${number}, as JSON`}
            spellCheck={false}
            placeholder={'{ "temperature": 0 }'}
            value={row.other}
            onChange={(event) => onChange({ other: event.target.value })}
          />
        </div>
      </details>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </li>
  );
}
