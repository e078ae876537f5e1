import { useState } from "react";
import { type ApiOperation, isOpenApi, readOperations } from "../../import/openapi/import-openapi.ts";
import { readText } from "../../import/read-text.ts";
import { addTools, agentForTools } from "../../state/commands/add-tools.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { takeText } from "../../ui/text/take-text.ts";
import { Textarea } from "../../ui/fields/textarea.tsx";

/** More tools than this confuse a model, and many vendors refuse them. */
const mostTools = 40;

interface Api {
  title: string;
  operations: readonly ApiOperation[];
}

type ReadApi = { ok: true; api: Api } | { ok: false; problem: string };

/** The operations in a file or a paste. */
function readApi(text: string): ReadApi {
  const read = readText(text);
  if (!read.ok) return read;
  if (!isOpenApi(read.value))
    return { ok: false, problem: "This is not an OpenAPI document. It needs “openapi” and “paths”, as JSON or YAML." };
  const found = readOperations(read.value);
  return found.ok ? { ok: true, api: found } : found;
}

/** From an OpenAPI document to the operations that become tools of the agent. The document is read here; nothing is asked for. */
export function OpenapiDialog({ onClose }: { onClose: () => void }) {
  const { context, canvas } = useEditor();
  const [text, setText] = useState("");
  const [api, setApi] = useState<Api | null>(null);
  const [problem, setProblem] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const agent = agentForTools(context);

  const open = (source: string) => {
    const read = readApi(source);
    setProblem(read.ok ? "" : read.problem);
    if (read.ok) setApi(read.api);
  };
  const add = () => {
    const starts = (api?.operations ?? [])
      .filter(({ id }) => chosen.has(id))
      .map(({ title, config }) => ({ title, config }));
    addTools(context, "http-request-tool", starts);
    onClose();
    setTimeout(() => canvas.getState().controls?.fit(), 50);
  };
  const tooMany = chosen.size > mostTools;
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title="Add tools from an API"
      description={
        api === null
          ? "Choose an OpenAPI 3 document, then the operations that the agent may use."
          : `${api.title}: ${agent ? `what you choose becomes tools of “${agent.title}”.` : "what you choose is added without a connection, since no agent is selected."}`
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {api === null ? (
            <Button variant="primary" disabled={text.trim() === ""} onClick={() => open(text)}>
              Show operations
            </Button>
          ) : (
            <Button variant="primary" icon="plus" disabled={chosen.size === 0 || tooMany} onClick={add}>
              {chosen.size === 1 ? "Add 1 tool" : `Add ${chosen.size} tools`}
            </Button>
          )}
        </>
      }
    >
      {api === null ? (
        <Source text={text} problem={problem} onText={setText} onFile={open} />
      ) : (
        <>
          {tooMany && (
            <Notice tone="warning" title={`Choose at most ${mostTools} operations.`}>
              An agent with more tools picks the wrong ones, and many providers refuse them.
            </Notice>
          )}
          <Operations operations={api.operations} chosen={chosen} onChoose={setChosen} />
        </>
      )}
    </Dialog>
  );
}

interface SourceProps {
  text: string;
  problem: string;
  onText: (text: string) => void;
  onFile: (text: string) => void;
}

function Source({ text, problem, onText, onFile }: SourceProps) {
  return (
    <div className="flex flex-col gap-3">
      <Field label="OpenAPI document" help="JSON or YAML." {...(problem === "" ? {} : { error: problem })}>
        {(field) => (
          <Textarea
            {...field}
            rows={10}
            className="font-mono"
            spellCheck={false}
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      <FilePicker
        label="OpenAPI file"
        accept=".json,.yaml,.yml,application/json"
        onFiles={([file]) => void takeText(file, onFile)}
        trigger={
          <Button icon="upload" className="self-start">
            Choose a file
          </Button>
        }
      />
    </div>
  );
}

interface OperationsProps {
  operations: readonly ApiOperation[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

function Operations({ operations, chosen, onChoose }: OperationsProps) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ id, title, summary }) => {
    const told = `${id} ${title} ${summary}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div className="flex flex-col gap-2">
      <Input
        type="search"
        aria-label="Search operations"
        placeholder={`Search ${operations.length} operations`}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length === 0 ? (
        <p className="py-6 text-center text-muted">No operation matches.</p>
      ) : (
        <ul aria-label="Operations" className="max-h-[46dvh] divide-y overflow-y-auto rounded-md border">
          {found.map(({ id, title, summary, needs, note }) => (
            <li key={id}>
              <label className="flex cursor-pointer items-start gap-3 px-3 py-2 hover:bg-hover">
                <input type="checkbox" className="mt-1" checked={chosen.has(id)} onChange={() => toggle(id)} />
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <span className="flex flex-wrap items-center gap-2">
                    <span className="font-medium">{title}</span>
                    {!/^(?:GET|HEAD) /.test(id) && <Badge tone="warning">Writes</Badge>}
                  </span>
                  <span className="block font-mono text-xs text-muted">{id}</span>
                  {summary !== "" && <span className="block text-xs text-muted">{summary.slice(0, 200)}</span>}
                  {needs !== "" && <span className="block text-xs text-muted">Needs {needs}.</span>}
                  {note !== "" && <span className="block text-xs text-warning">{note}</span>}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
