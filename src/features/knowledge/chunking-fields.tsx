import { chunkingBounds } from "../../engine/knowledge/chunking.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { type ChunkingDraft, type ChunkingProblems, type SplitWay, splitWays } from "./chunking-draft.ts";

const ways: Record<SplitWay, { label: string; help: string }> = {
  size: {
    label: "By size",
    help: "Breaks at headings, rows and paragraphs, then by size.",
  },
  headings: {
    label: "By headings",
    help: "One chunk per section, down to these heading levels. Long sections are split by size.",
  },
  parents: {
    label: "Parent and child",
    help: "Searches small chunks and returns the section around each match, once per section.",
  },
};

const { min, max } = chunkingBounds.depth;
const depths = Array.from({ length: max - min + 1 }, (_, index) => ({
  value: String(min + index),
  label: min + index === 1 ? "Top headings" : `${min + index} levels`,
}));

interface ChunkingFieldsProps {
  value: ChunkingDraft;
  problems: ChunkingProblems;
  onChange: (draft: ChunkingDraft) => void;
}

/** How documents are split. */
export function ChunkingFields({ value, problems, onChange }: ChunkingFieldsProps) {
  const { way } = value;
  const number = (name: "size" | "overlap" | "child", label: string, help: string) => (
    <Field label={label} help={help} error={problems[name]}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          value={value[name]}
          onChange={(event) => onChange({ ...value, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Split" help={ways[way].help}>
          {(control) => (
            <Select
              {...control}
              value={way}
              onValueChange={(next) => onChange({ ...value, way: splitWays.find((each) => each === next) ?? "size" })}
              options={splitWays.map((each) => ({ value: each, label: ways[each].label }))}
            />
          )}
        </Field>
        {way !== "size" && (
          <Field label="Headings" help="Deeper headings stay inside their chunk.">
            {(control) => (
              <Select
                {...control}
                value={String(value.depth)}
                onValueChange={(depth) => onChange({ ...value, depth: Number(depth) })}
                options={depths}
              />
            )}
          </Field>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {way === "parents" ? (
          <>
            {number("size", "Section size", "Maximum tokens per section. This is what an agent gets.")}
            {number("child", "Chunk size", "Tokens per chunk. This is what a search matches.")}
          </>
        ) : (
          <>
            {number(
              "size",
              "Chunk size",
              "Tokens per chunk. Smaller chunks are more precise, larger ones keep more context.",
            )}
            {number("overlap", "Overlap", "Tokens repeated from the previous chunk.")}
          </>
        )}
      </div>
    </>
  );
}
