import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Select } from "../../ui/fields/select.tsx";
import type { ConditionDraft, GroupDraft } from "./condition-draft.ts";
import { ConditionRow } from "./condition-row.tsx";

interface ConditionGroupProps {
  group: GroupDraft;
  /** Empty for the outermost group, `2` for the second part of it. */
  path: string;
  operators: readonly string[];
  onChange(group: GroupDraft): void;
  onRemove?(): void;
}

const modes = [
  { value: "all", label: "All of these" },
  { value: "any", label: "Any of these" },
];
/** Groups within groups beyond this are written as SQL. */
const deepest = 3;

/** Rows that are joined by and, or by or, and groups of such rows. */
export function ConditionGroup({ group, path, operators, onChange, onRemove }: ConditionGroupProps) {
  const name = path === "" ? "" : ` ${path}`;
  const isOutermost = onRemove === undefined;
  const setPart = (index: number, part: ConditionDraft) => onChange({ ...group, parts: group.parts.with(index, part) });
  const add = (part: ConditionDraft) => onChange({ ...group, parts: [...group.parts, part] });
  const row: ConditionDraft = { kind: "comparison", column: "", operator: operators[0] ?? "=", value: "" };
  return (
    <div className={isOutermost ? "flex flex-col gap-2" : "flex flex-col gap-2 rounded-md border p-2"}>
      {(group.parts.length > 1 || !isOutermost) && (
        <div className="flex items-center gap-1.5">
          <Select
            size="sm"
            aria-label={`Group${name}: how the conditions are joined`}
            value={group.mode}
            options={modes}
            onValueChange={(mode) => onChange({ ...group, mode: mode === "any" ? "any" : "all" })}
          />
          {onRemove && <IconButton size="sm" icon="x" label={`Remove group${name}`} onClick={onRemove} />}
        </div>
      )}
      {group.parts.length > 0 && (
        <ul className="flex flex-col gap-2">
          {group.parts.map((part, index) => {
            const number = path === "" ? `${index + 1}` : `${path}.${index + 1}`;
            const remove = () => onChange({ ...group, parts: group.parts.toSpliced(index, 1) });
            const change = (next: ConditionDraft) => setPart(index, next);
            if (part.kind === "comparison") {
              return (
                <ConditionRow
                  key={index}
                  row={part}
                  name={`Condition ${number}`}
                  operators={operators}
                  onChange={change}
                  onRemove={remove}
                />
              );
            }
            return (
              <li key={index}>
                <ConditionGroup group={part} path={number} operators={operators} onChange={change} onRemove={remove} />
              </li>
            );
          })}
        </ul>
      )}
      <div className="flex flex-wrap gap-1">
        <Button size="sm" variant="ghost" icon="plus" className="text-muted" onClick={() => add(row)}>
          Add a condition
        </Button>
        {group.parts.length > 0 && path.split(".").length < deepest && (
          <Button
            size="sm"
            variant="ghost"
            icon="plus"
            className="text-muted"
            onClick={() => add({ kind: "group", mode: group.mode === "all" ? "any" : "all", parts: [row] })}
          >
            Add a group
          </Button>
        )}
      </div>
    </div>
  );
}
