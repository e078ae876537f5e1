import { type KeyboardEvent, useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { isEnter } from "../../ui/fields/composing.ts";
import { Textarea } from "../../ui/fields/textarea.tsx";

interface DescribeAgentProps {
  /** Descriptions to begin with; with none it is one line. */
  examples?: readonly string[];
  busy: boolean;
  disabled: boolean;
  /** Has the assistant build what the person describes. */
  onDescribe: (text: string) => void;
}

/** What the agent should do, in the person's words. Enter asks the assistant to build it, Shift+Enter breaks the line. */
export function DescribeAgent({ examples = [], busy, disabled, onDescribe }: DescribeAgentProps) {
  const [text, setText] = useState("");
  const described = text.trim();
  const build = () => {
    if (described !== "" && !disabled) onDescribe(described);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.shiftKey) return;
    event.preventDefault();
    build();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        build();
      }}
    >
      <div className="flex items-end gap-2">
        <Textarea
          aria-label="Describe your agent"
          placeholder={
            examples.length > 0 ? "An agent that …" : "Or describe your agent, and the assistant proposes it"
          }
          rows={examples.length > 0 ? 2 : 1}
          maxRows={6}
          maxLength={2_000}
          className="resize-none! bg-surface text-base!"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button type="submit" variant="primary" icon="sparkles" busy={busy} disabled={disabled || described === ""}>
          Build it
        </Button>
      </div>
      {examples.length > 0 && (
        <ul aria-label="Examples" className="flex flex-wrap gap-2">
          {examples.map((example) => (
            <li key={example} className="max-w-full">
              <Button size="sm" className="max-w-full" disabled={disabled} onClick={() => setText(example)}>
                <span className="truncate">{example}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
