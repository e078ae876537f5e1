import { useId, useState } from "react";
import { z } from "zod/mini";
import type { SlotProps } from "../../forms/control-props.ts";
import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import { pinFits, type McpTool, toolPin } from "../../nodes/tools/mcp/tool-pin.ts";
import {
  agreedTerms,
  readContentNames,
  termsOf,
  type ToolTerms,
  toolTermsSchema,
} from "../../nodes/tools/mcp/tool-terms.ts";
import { isJsonObject } from "../../engine/json.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { SlotGroup } from "./slot-group.tsx";
import { useMcpListing } from "./use-mcp-listing.ts";

type Terms = Omit<ToolTerms, "pin">;

const allTerms = z.record(z.string(), toolTermsSchema);

const approvals = [
  { value: "", label: "Same as the node’s Approval setting" },
  { value: "ask-after-untrusted", label: "Asks after untrusted" },
  { value: "ask", label: "Always asks" },
  { value: "once", label: "Asks once a run" },
  { value: "never", label: "Never asks" },
];
const results = [
  { value: "", label: "Results come from outside" },
  { value: "records", label: "The records are mine, but others can write in them" },
  { value: "fields", label: "Nobody else fills in its fields" },
];

interface ItemProps {
  tool: McpTool;
  terms: Terms;
  isOutdated: boolean;
  onChange(terms: Terms): void;
}

function ToolItem({ tool, terms, isOutdated, onChange }: ItemProps) {
  const { approval, own, readOnly, content } = terms;
  const [problem, setProblem] = useState("");
  const problemId = useId();
  const set = (change: { [Key in keyof Terms]?: Terms[Key] | undefined }) => {
    const changed = Object.entries({ ...terms, ...change }).filter(([, one]) => one !== undefined);
    onChange(toolTermsSchema.parse({ pin: "", ...Object.fromEntries(changed) }));
  };
  const name = showHidden(tool.name);
  return (
    <li className="flex flex-col gap-1.5 rounded-md border p-2 text-xs">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 font-mono font-semibold wrap-anywhere">{name}</span>
        {isOutdated && <Badge tone="warning">changed</Badge>}
      </div>
      {tool.readOnly ? (
        <label className="flex items-center gap-2">
          <Switch
            checked={readOnly === true}
            aria-label={`Believe that ${name} only reads`}
            onCheckedChange={(checked) => set({ readOnly: checked ? true : undefined })}
          />
          The server says this tool only reads. Trust that.
        </label>
      ) : (
        <span className="text-muted">
          The server doesn’t say this tool is read-only, so it is treated as one that makes changes.
        </span>
      )}
      <Select
        size="sm"
        aria-label={`When ${name} asks`}
        value={approval ?? ""}
        options={approvals}
        onValueChange={(value) =>
          set({ approval: toolTermsSchema.shape.approval.parse(value === "" ? undefined : value) })
        }
      />
      <Select
        size="sm"
        aria-label={`Whose the results of ${name} are`}
        value={own ?? ""}
        options={results}
        onValueChange={(value) => set({ own: toolTermsSchema.shape.own.parse(value === "" ? undefined : value) })}
      />
      {readOnly !== true && (
        <Input
          size="sm"
          mono
          aria-label={`Text-only arguments of ${name}`}
          placeholder="Text-only arguments: subject, body"
          defaultValue={content?.join(", ") ?? ""}
          aria-invalid={problem === "" ? undefined : true}
          aria-describedby={problem === "" ? undefined : problemId}
          onBlur={({ target }) => {
            const read = readContentNames(target.value);
            setProblem(read.ok ? "" : read.problem);
            if (read.ok) set({ content: read.names.length > 0 ? read.names : undefined });
          }}
        />
      )}
      {problem !== "" && (
        <p id={problemId} role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </li>
  );
}

/** What a person trusts of each approved tool of a server. It holds only while the tool stays as it was then. */
export function McpTermsSlot({ field, value, onChange, control, config }: SlotProps) {
  const { listed } = useMcpListing(config);
  const kept = allTerms.safeParse(value);
  const terms: Record<string, ToolTerms> = kept.success ? kept.data : {};
  const pins = isJsonObject(config["pins"]) ? config["pins"] : {};
  const approved = listed?.tools.filter((tool) => pinFits(String(pins[tool.name] ?? ""), tool) !== "no");
  const count = Object.keys(terms).length;
  return (
    <SlotGroup field={field} control={control}>
      {approved === undefined || approved.length === 0 ? (
        <p className="text-xs text-muted">
          {count === 0 ? "Nothing is set." : `Set for ${count === 1 ? "1 tool" : `${count} tools`}.`} List the server's
          tools and approve some to change this.
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {approved.map((tool) => (
            <ToolItem
              key={toolPin(tool)}
              tool={tool}
              terms={termsOf(tool, terms)}
              isOutdated={Object.hasOwn(terms, tool.name) && terms[tool.name]?.pin !== toolPin(tool)}
              onChange={(changed) => {
                const { [tool.name]: _before, ...others } = terms;
                const { pin: _pin, ...rest } = agreedTerms(tool, changed);
                const isEmpty = Object.keys(rest).length === 0;
                onChange(isEmpty ? others : { ...others, [tool.name]: agreedTerms(tool, changed) });
              }}
            />
          ))}
        </ul>
      )}
    </SlotGroup>
  );
}
