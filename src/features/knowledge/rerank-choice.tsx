import { useState } from "react";
import { noRerank, type RerankFields, rerankTitles } from "../../nodes/knowledge/rerank-fields.ts";
import { rerankFormats } from "../../providers/rerank/rerank-formats.ts";
import { rerankProvider } from "../../providers/rerank/rerank-texts.ts";
import { priceOfText } from "../../forms/price-inputs.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { CredentialField } from "./credential-field.tsx";

/** Reranking as it is typed. */
export interface TypedRerank extends Pick<RerankFields, "rerank" | "rerankCredential" | "rerankModel"> {
  price: string;
}

export const typedNoRerank: TypedRerank = { rerank: "off", rerankCredential: "", rerankModel: "", price: "" };

/** What is missing, by field; empty where a search can be made with it. */
export function rerankProblems({ rerank, rerankCredential, rerankModel, price }: TypedRerank) {
  if (rerank === "off") return {};
  return {
    ...(rerankCredential === "" ? { credential: "Choose a credential." } : {}),
    ...(rerank !== "tei" && rerankModel.trim() === "" ? { model: "Enter the name of the model." } : {}),
    ...(price.trim() !== "" && priceOfText(price) === undefined ? { price: "Enter a number, or nothing." } : {}),
  };
}

/** The typed settings as a step has them. */
export function rerankSettings({ price, ...typed }: TypedRerank): RerankFields {
  return {
    ...noRerank,
    ...typed,
    rerankModel: typed.rerankModel.trim(),
    rerankPrice: price.trim() === "" ? null : (priceOfText(price) ?? null),
  };
}

interface RerankChoiceProps {
  value: TypedRerank;
  /** It was tried, so that what is missing shows. */
  tried: boolean;
  onChange: (value: TypedRerank) => void;
}

/** Whether a model puts the passages into a better order: one line that says so, and opens. */
export function RerankChoice({ value, tried, onChange }: RerankChoiceProps) {
  const { credential, model, price }: Record<string, string | undefined> = tried ? rerankProblems(value) : {};
  const hasProblem = credential !== undefined || model !== undefined || price !== undefined;
  // What opened because something was missing stays open once it is there.
  const [isOpen, setOpen] = useState(false);
  const set = (part: Partial<TypedRerank>) => onChange({ ...value, ...part });
  const name = value.rerankModel.trim() || rerankTitles[value.rerank];
  return (
    <details
      className="col-span-full"
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="text-xs text-muted">
        Rerank {value.rerank === "off" ? "…" : <span className="font-medium text-ink">{name}</span>}
      </summary>
      <div className="mt-2 flex max-w-140 flex-col gap-3">
        <Field label="Rerank" help="A model compares the query with 30 passages and puts the best first.">
          {(control) => (
            <Select
              {...control}
              value={value.rerank}
              onValueChange={(next) => set({ rerank: rerankFormats.find((each) => each === next) ?? "off" })}
              options={(["off", ...rerankFormats] as const).map((format) => ({
                value: format,
                label: rerankTitles[format],
              }))}
            />
          )}
        </Field>
        {value.rerank !== "off" && (
          <>
            <CredentialField
              types={[rerankProvider]}
              value={value.rerankCredential}
              help="Its base URL is the part before /rerank."
              error={credential}
              onChange={(rerankCredential) => set({ rerankCredential })}
            />
            {value.rerank !== "tei" && (
              <Field label="Reranking model" {...(model === undefined ? {} : { error: model })}>
                {(control) => (
                  <Input
                    {...control}
                    value={value.rerankModel}
                    maxLength={200}
                    placeholder="rerank-v3.5"
                    onChange={(event) => set({ rerankModel: event.target.value })}
                  />
                )}
              </Field>
            )}
            <Field
              label="Reranking price"
              help="US dollars per million tokens; for Cohere, per thousand searches. Empty: not known."
              {...(price === undefined ? {} : { error: price })}
            >
              {(control) => (
                <Input
                  {...control}
                  value={value.price}
                  placeholder="not known"
                  onChange={(event) => set({ price: event.target.value })}
                />
              )}
            </Field>
          </>
        )}
      </div>
    </details>
  );
}
