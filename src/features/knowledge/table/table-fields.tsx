import type { KnowledgeEmbedding } from "../../../engine/knowledge/knowledge.ts";
import { type VectorComparison, vectorComparisons } from "../../../engine/knowledge/postgres-table.ts";
import { filterOperators } from "../../../engine/knowledge/filter/parse-filter.ts";
import { isSearchLanguage, searchLanguages } from "../../../engine/knowledge/search-languages.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { CredentialField } from "../credential-field.tsx";
import { EmbeddingFields } from "../embedding-fields.tsx";
import type { TableProblems, TypedTable } from "./typed-table.ts";

const comparisonWords: Record<VectorComparison, string> = {
  cosine: "Cosine distance",
  "inner-product": "Inner product",
  l2: "Euclidean distance (L2)",
};

const languages = Object.entries(searchLanguages).map(([value, label]) => ({ value, label }));

interface TableFieldsProps {
  value: TypedTable;
  embedding: KnowledgeEmbedding | null;
  /** What is missing, once it was tried. */
  problems: TableProblems;
  onChange: (change: Partial<TypedTable>) => void;
  onEmbedding: (change: (before: KnowledgeEmbedding | null) => KnowledgeEmbedding | null) => void;
}

type ColumnName = "table" | "id" | "text" | "title" | "url" | "vector" | "metadata" | "filter";

/** Which table stands for a collection, and what its columns are. */
export function TableFields({ value, embedding, problems, onChange, onEmbedding }: TableFieldsProps) {
  const typed = (name: ColumnName, label: string, placeholder: string, help: string, required = false) => (
    <Field label={label} help={help} error={problems[name]} required={required}>
      {(control) => (
        <Input
          {...control}
          mono
          value={value[name]}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="flex flex-col gap-4">
      <CredentialField
        types={["postgres"]}
        help="The table is only read, within the credential's tables and hosts."
        value={value.credential}
        error={problems.credential}
        onChange={(credential) => onChange({ credential })}
      />
      {typed("table", "Table", "public.articles", "A table or view, such as articles or kb.articles.", true)}
      <div className="grid gap-4 sm:grid-cols-2">
        {typed("id", "Id column", "id", "Tells rows apart.", true)}
        {typed("text", "Text column", "body", "What is searched and quoted.", true)}
        {typed("title", "Title column", "title", "Names the passage. Empty: the id.")}
        {typed("url", "Address column", "url", "A link to the source, if there is one.")}
        {typed("vector", "Vector column", "embedding", "Of type vector or halfvec. Empty: keyword only.")}
        <Field label="Compared by" help="As its index is built.">
          {(control) => (
            <Select
              {...control}
              disabled={value.vector.trim() === ""}
              value={value.comparison}
              onValueChange={(next) => {
                const comparison = vectorComparisons.find((each) => each === next);
                if (comparison) onChange({ comparison });
              }}
              options={vectorComparisons.map((each) => ({ value: each, label: comparisonWords[each] }))}
            />
          )}
        </Field>
      </div>
      {value.vector.trim() !== "" && (
        <EmbeddingFields
          label="Vectors made by"
          vectorsExist
          value={embedding}
          onChange={onEmbedding}
          error={problems.embedding}
        />
      )}
      {typed(
        "metadata",
        "Metadata columns",
        "team, year",
        "Shown with passages, and what searches can be filtered by.",
      )}
      {typed("filter", "Only rows with", 'team = "sales"', `By metadata columns, for every search. ${filterOperators}`)}
      <Field label="Language of the text" help="Keyword search also finds other forms of a word: refunds for refund.">
        {(control) => (
          <Select
            {...control}
            value={value.language}
            onValueChange={(language) => {
              if (isSearchLanguage(language)) onChange({ language });
            }}
            options={languages}
          />
        )}
      </Field>
    </div>
  );
}
