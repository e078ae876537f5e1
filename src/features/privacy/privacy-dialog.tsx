import { useId, useMemo, useState } from "react";
import { type PrivacySettings, privacySettings } from "../../engine/document/workflow-document.ts";
import { createMask, patternProblem } from "../../engine/run/privacy/mask-text.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Dialog, Unsaved } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { PatternRows } from "./pattern-rows.tsx";
import { type PatternRow, patternRowProblem, storedPatterns } from "./pattern-row.ts";

type MaskKind = PrivacySettings["mask"][number];

const kinds: Record<MaskKind, { label: string; help: string }> = {
  keys: { label: "Keys and tokens", help: "API keys of known vendors, bearer tokens, JSON Web Tokens, private keys" },
  emails: { label: "E-mail addresses", help: "Such as ada@example.org" },
  cards: { label: "Card numbers", help: "13 to 19 digits whose check digit fits" },
  ibans: { label: "Bank account numbers", help: "IBANs whose check digits fit" },
  phones: { label: "Phone numbers", help: "With a country code, or as (555) 123-4567" },
};
const kindNames = ["keys", "emails", "cards", "ibans", "phones"] as const satisfies readonly MaskKind[];

const memoryHelp =
  "Off: memories keep conversations as they are, since the agent needs them. On: from the next turn on they keep the mask, and that is what the agent remembers.";

const encryptionHelp =
  "On: what this workflow's memories write to the database is encrypted with a key that the database does not have; only the server's functions read it for you. Messages that are stored already stay as they are. Text in encrypted conversations cannot be searched, and vector memory cannot be used.";

const notEncrypted =
  "Not encrypted: the run history, which holds what was said as well. Mask it above, or keep runs for fewer days in Settings. Also not encrypted: conversations in Redis, session ids, times, sizes, who spoke, and turns that wait in this browser until they can be saved.";

const sample = "Ada <ada@example.org> paid with 4111 1111 1111 1111.";

/** What is masked in the stored runs of the open workflow, and how its conversations are kept; saved with it, as one undo step. */
export function PrivacyDialog({ onClose }: { onClose: () => void }) {
  const { document: store } = useEditor();
  const form = useId();
  const [start] = useState<PrivacySettings>(() => store.getState().document.privacy ?? { mask: [], patterns: [] });
  const [mask, setMask] = useState<readonly MaskKind[]>(start.mask);
  const [rows, setRows] = useState<readonly PatternRow[]>(() =>
    start.patterns.map((pattern, key) => ({ key, pattern })),
  );
  const [next, setNext] = useState(start.patterns.length);
  const [memory, setMemory] = useState(start.memory === true);
  const [encrypted, setEncrypted] = useState(start.encryptConversations === true);
  const [tried, setTried] = useState(sample);
  const nothing = mask.length === 0 && storedPatterns(rows).length === 0;
  const valid = rows.every((row) => patternRowProblem(row, patternProblem) === undefined);
  const masked = useMemo(
    () => createMask({ mask: [...mask], patterns: storedPatterns(rows) })(tried),
    [mask, rows, tried],
  );

  function save() {
    const settings = privacySettings.safeParse({
      mask,
      patterns: storedPatterns(rows),
      ...(memory && !nothing ? { memory } : {}),
      ...(encrypted ? { encryptConversations: true } : {}),
    });
    if (!valid || !settings.success) return;
    store.getState().edit("Edit privacy settings", (document) => {
      if (nothing && !encrypted) delete document.privacy;
      else document.privacy = settings.data;
    });
    onClose();
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Privacy"
      description="What the database keeps of this workflow's runs and conversations."
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={!valid}>
          Save
        </DialogActions>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <section aria-labelledby="privacy-runs" className="flex flex-col gap-4">
          <div>
            <h3 id="privacy-runs" className="font-semibold">
              Stored runs
            </h3>
            <p className="mt-1 text-xs text-muted">
              What you choose here is masked in input, output, steps, logs, and the prompts and pinned data kept with
              each run. It is replaced in this browser before a run is stored; while a run is live you see it as it is.
              The workflow itself and its versions are not masked.
            </p>
          </div>
          {kindNames.map((kind) => (
            <Field key={kind} label={kinds[kind].label} help={kinds[kind].help} inline>
              {(field) => (
                <Switch
                  {...field}
                  checked={mask.includes(kind)}
                  onCheckedChange={(on) =>
                    setMask(kindNames.filter((each) => (each === kind ? on : mask.includes(each))))
                  }
                />
              )}
            </Field>
          ))}
          <Unsaved when={rows.length !== start.patterns.length} />
          <PatternRows
            rows={rows}
            onChange={setRows}
            onAdd={() => {
              setRows([...rows, { key: next, pattern: "" }]);
              setNext(next + 1);
            }}
          />
          <Field
            label="Also mask what memory stores"
            help={nothing ? "Choose above what is masked; then it can be masked there too." : memoryHelp}
            inline
          >
            {(field) => (
              <Switch {...field} disabled={nothing} checked={memory && !nothing} onCheckedChange={setMemory} />
            )}
          </Field>
          <Field label="Try it" help="This text is not stored.">
            {(field) => (
              <Textarea
                {...field}
                rows={2}
                maxRows={6}
                value={tried}
                maxLength={20_000}
                onChange={(event) => setTried(event.target.value)}
              />
            )}
          </Field>
          <div>
            <p className="text-sm font-medium">As it would be stored</p>
            <output
              aria-label="As it would be stored"
              className="mt-1 block rounded-md bg-hover px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
            >
              {masked}
            </output>
          </div>
        </section>
        <section aria-labelledby="privacy-conversations" className="mt-5 flex flex-col gap-4 border-t pt-4">
          <h3 id="privacy-conversations" className="font-semibold">
            Conversations
          </h3>
          <Field label="Encrypt conversations" help={encryptionHelp} inline>
            {(field) => <Switch {...field} checked={encrypted} onCheckedChange={setEncrypted} />}
          </Field>
          <p className="text-xs text-muted">{notEncrypted}</p>
        </section>
      </form>
    </Dialog>
  );
}
