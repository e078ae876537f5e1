import { useId } from "react";
import type { SlotProps } from "../../forms/control-props.ts";
import { TemplateInput } from "../../forms/template/template-input.tsx";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import type { McpPrompt } from "../../nodes/tools/mcp/list-offers.ts";
import { mostPrompts } from "../../nodes/tools/mcp/pin-limits.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { NoOffers, OfferList } from "./mcp-offer-list.tsx";
import { useMcpListing } from "./use-mcp-listing.ts";
import { SlotGroup } from "./slot-group.tsx";

/** A chosen prompt with what its arguments are filled with. */
interface Chosen {
  name: string;
  arguments: Record<string, string>;
}

function chosenFrom(value: Json | undefined): Chosen[] {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    if (!isJsonObject(item) || typeof item["name"] !== "string") return [];
    const values = isJsonObject(item["arguments"]) ? Object.entries(item["arguments"]) : [];
    return [{ name: item["name"], arguments: Object.fromEntries(values.map(([key, text]) => [key, String(text)])) }];
  });
}

function ArgumentInput({
  field,
  name,
  isRequired,
  description,
  text,
  onChange,
}: {
  field: SlotProps["field"];
  name: string;
  isRequired: boolean;
  description: string;
  text: string;
  onChange(text: string): void;
}) {
  const id = useId();
  const control = { id, "aria-describedby": undefined, "aria-invalid": undefined, "aria-required": isRequired };
  const label = `${showHidden(name)}${isRequired ? "" : " (optional)"}`;
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={id} className="text-xs font-medium wrap-anywhere" title={showHidden(description)}>
        {label}
      </label>
      <TemplateInput
        field={field}
        label={label}
        text={text}
        control={control}
        multiline={false}
        hasResult
        plain={<Input {...control} size="sm" value={text} onChange={(event) => onChange(event.target.value)} />}
        onChange={onChange}
      />
    </div>
  );
}

/** Chooses which of a server's prompts an agent is given at its start, and fills in their arguments. */
export function McpPromptsSlot({ field, value, onChange, control, config }: SlotProps) {
  const { listed } = useMcpListing(config);
  const chosen = chosenFrom(value);
  const prompts = listed?.offers?.prompts ?? [];
  const isFull = chosen.length >= mostPrompts;
  const store = (next: readonly Chosen[]) =>
    onChange(next.map(({ name, arguments: values }) => ({ name, arguments: values })));

  return (
    <SlotGroup field={field} control={control}>
      {chosen.length > 0 && (
        <ul className="flex flex-col gap-1.5" aria-label="Chosen prompts">
          {chosen.map((one, index) => {
            const known = prompts.find(({ name }) => name === one.name);
            const names = new Set([...(known?.arguments ?? []).map(({ name }) => name), ...Object.keys(one.arguments)]);
            return (
              <li key={index} className="flex flex-col gap-1.5 rounded-md border p-2">
                <div className="flex items-center gap-2">
                  <span className="min-w-0 flex-1 text-xs font-semibold wrap-anywhere">{showHidden(one.name)}</span>
                  {listed?.offers !== undefined && !known && <Badge tone="warning">no longer there</Badge>}
                  <IconButton
                    size="sm"
                    icon="x"
                    label={`Remove ${one.name}`}
                    onClick={() => store(chosen.toSpliced(index, 1))}
                  />
                </div>
                {[...names].map((name) => {
                  const argument = known?.arguments.find((each) => each.name === name);
                  return (
                    <ArgumentInput
                      key={name}
                      field={field}
                      name={name}
                      isRequired={argument?.required !== false}
                      description={argument?.description ?? ""}
                      text={one.arguments[name] ?? ""}
                      onChange={(text) =>
                        store(chosen.with(index, { ...one, arguments: { ...one.arguments, [name]: text } }))
                      }
                    />
                  );
                })}
              </li>
            );
          })}
        </ul>
      )}
      <NoOffers what="prompts" isListed={listed !== undefined} count={prompts.length} problem={listed?.problem} />
      <OfferList
        what="prompts"
        offers={prompts.map((prompt) => ({
          id: prompt.name,
          name: prompt.title || prompt.name,
          detail: signature(prompt),
          description: prompt.description,
          action: (
            <Button
              size="sm"
              aria-label={`Add ${prompt.title || prompt.name}`}
              disabled={isFull}
              onClick={() => store([...chosen, { name: prompt.name, arguments: emptyValues(prompt) }])}
            >
              Add
            </Button>
          ),
        }))}
      />
      {isFull && <p className="text-xs text-muted">An agent is given at most {mostPrompts} prompts at its start.</p>}
    </SlotGroup>
  );
}

function emptyValues(prompt: McpPrompt): Record<string, string> {
  return Object.fromEntries(prompt.arguments.map(({ name }) => [name, ""]));
}

/** `greet(city, tone?)` */
function signature(prompt: McpPrompt): string {
  const names = prompt.arguments.map(({ name, required }) => (required ? name : `${name}?`));
  return names.length === 0 ? prompt.name : `${prompt.name}(${names.join(", ")})`;
}
