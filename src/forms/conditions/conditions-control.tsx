import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import type { ControlProps } from "../control-props.ts";
import { useTextDraft } from "../use-text-draft.ts";
import { conditionsFrom, conditionsTo, type GroupDraft } from "./condition-draft.ts";
import { ConditionGroup } from "./condition-group.tsx";
import { readJson } from "../../engine/json.ts";

function textOf(value: ControlProps["value"]): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** What is typed is SQL; conditions that rows cannot show stay JSON while they are. */
function storedText(text: string, before: ControlProps["value"]): ControlProps["value"] {
  if (text.trim() === "") return [];
  if (typeof before !== "object" || before === null) return text;
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function SqlText({ field, value, onChange, control }: ControlProps) {
  const stored = value ?? field.default;
  const [text, setText] = useTextDraft(textOf(stored));
  return (
    <Textarea
      {...control}
      mono
      rows={3}
      value={text}
      placeholder={"status = 'open' and total > {{json.total}}"}
      spellCheck={false}
      aria-label={field.label}
      onChange={(event) => {
        const next = storedText(event.target.value, stored);
        setText(event.target.value, textOf(next));
        onChange(next);
      }}
    />
  );
}

function Rows({ stored, field, onChange }: ControlProps & { stored: GroupDraft }) {
  const [draft, setDraft] = useState(stored);
  // A row that has no column yet is not stored; it stays while nothing else changed from outside.
  const kept = JSON.stringify(conditionsTo(draft)) === JSON.stringify(conditionsTo(stored));
  return (
    <ConditionGroup
      group={kept ? draft : stored}
      path=""
      operators={field.options ?? ["="]}
      onChange={(next) => {
        setDraft(next);
        onChange(conditionsTo(next));
      }}
    />
  );
}

/** Which rows a statement is about: conditions in rows and groups, or SQL. */
export function ConditionsControl(props: ControlProps) {
  const { field, value, control, onChange } = props;
  const stored = conditionsFrom(value ?? field.default);
  const [asText, setAsText] = useState(false);
  const isText = asText || stored === null;
  // A text that is cleared stays a text while it is written.
  const writeText: ControlProps["onChange"] = (next) => {
    setAsText(true);
    onChange(next);
  };
  const isEmpty = textOf(value ?? field.default) === "";
  return (
    <div
      className="flex flex-col gap-1.5"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      {isText ? <SqlText {...props} onChange={writeText} /> : <Rows {...props} stored={stored} />}
      {(isEmpty || (asText && stored !== null)) && (
        <Button
          size="sm"
          variant="ghost"
          icon={isText ? "list" : "code"}
          className="self-start text-muted"
          onClick={() => setAsText(!isText)}
        >
          {isText ? "Use conditions" : "Write SQL"}
        </Button>
      )}
    </div>
  );
}
