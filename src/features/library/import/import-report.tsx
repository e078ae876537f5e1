import { type ReactNode, useState } from "react";
import { type ImportReport as ForeignReport, type ReportEntry, takenOut, toldOnce } from "../../../import/report.ts";
import { sourceWords } from "../../../state/document/import-text.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { CredentialSummary } from "../../../services/services.ts";
import { credentialLabel } from "../../../state/credential/credential-label.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon, type IconName } from "../../../ui/icons/icon.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import type { ImportFindings, OpenCredential } from "./read-import.ts";

/** Credentials chosen in the report, by node id. */
type ChosenCredentials = Readonly<Record<string, string>>;

/** The document with the chosen credentials in it. */
export function withChosen(findings: ImportFindings, chosen: ChosenCredentials): WorkflowDocument {
  const nodes = { ...findings.document.nodes };
  for (const { nodeId, field } of findings.credentials) {
    const node = nodes[nodeId];
    const id = chosen[nodeId];
    if (node && id !== undefined && id !== "") nodes[nodeId] = { ...node, config: { ...node.config, [field]: id } };
  }
  return { ...findings.document, nodes };
}

/** What was found in a file: what is ready, what has to be chosen, what is missing, what waits for review. */
export function ImportReport({
  findings,
  name,
  own,
  chosen,
  onChoose,
}: {
  findings: ImportFindings;
  /** What the workflow will be called. */
  name: string;
  own: readonly CredentialSummary[];
  chosen: ChosenCredentials;
  onChoose: (nodeId: string, credential: string) => void;
}) {
  const { document, notes, unknown, credentials, missing, review, report } = findings;
  const entries = report ? toldOnce(report.entries) : [];
  const words = new Map(
    credentials.flatMap((credential) => {
      const entry = wordsOfCredential(entries, credential);
      return entry === undefined ? [] : [[credential, entry]];
    }),
  );
  const nodes = Object.keys(document.nodes).length;
  const open = unknown.length + credentials.length + missing.length + review.length;
  return (
    <div className="flex flex-col gap-3">
      <Notice
        tone={open === 0 ? "success" : "info"}
        title={`“${document.name}” with ${nodes} ${nodes === 1 ? "node" : "nodes"}`}
      >
        {name === document.name ? null : <p>Renamed to “{name}”, since you have one of that name.</p>}
        {report && <p>{countWords(report)}</p>}
        {open === 0 ? "Ready to import." : "Left to do, now or later:"}
      </Notice>
      <BecameOf entries={entries} said={new Set(words.values())} />
      {credentials.length > 0 && (
        <Part icon="key-round" title="Choose credentials" text="Exports contain none. You can also do this later.">
          {credentials.map((credential) => (
            <CredentialRow
              key={credential.nodeId}
              credential={credential}
              note={words.get(credential)?.note}
              own={own}
              value={chosen[credential.nodeId] ?? ""}
              onChoose={onChoose}
            />
          ))}
        </Part>
      )}
      {review.length > 0 && (
        <Part icon="eye" title="Waits for your review" text="These nodes do not run until you have reviewed them.">
          {review.map(({ node, outreach }) => (
            <Line key={node.id} title={node.title} text={outreach} />
          ))}
        </Part>
      )}
      {missing.length > 0 && (
        <Part icon="unplug" title="Missing here" text="Choose others in the settings of these nodes.">
          {missing.map(({ nodeId, title, what }) => (
            <Line key={`${nodeId} ${what}`} title={title} text={`names a ${what} that you do not have`} />
          ))}
        </Part>
      )}
      {unknown.length > 0 && (
        <Part icon="circle-question-mark" title="Unknown nodes" text="They are kept with their data, but cannot run.">
          {unknown.map(({ id, title, type }) => (
            <Line key={id} title={title} text={`is of the type “${type}”`} />
          ))}
        </Part>
      )}
      {notes.length > 0 && (
        <Part icon="info" title="Worth knowing">
          {notes.map((note) => (
            <li key={note} className="wrap-anywhere">
              {note}
            </li>
          ))}
        </Part>
      )}
    </div>
  );
}

const outcomeWords: Record<ReportEntry["outcome"], string> = {
  dropped: "without effect here",
  mapped: "taken over",
  approximated: "approximated",
  needsCredential: "needs a credential",
  placeholder: "placeholder",
};

/** The same of several nodes. */
const outcomesWords: Record<ReportEntry["outcome"], string> = {
  ...outcomeWords,
  needsCredential: "need a credential",
  placeholder: "placeholders",
};

/** `From n8n, 14 nodes there: 12 taken over, 1 approximated …`. */
function countWords({ format, nodes, expressions }: ForeignReport): string {
  const counts = (["mapped", "approximated", "needsCredential", "placeholder"] as const).flatMap((outcome) =>
    nodes[outcome] > 0 ? [`${nodes[outcome]} ${(nodes[outcome] === 1 ? outcomeWords : outcomesWords)[outcome]}`] : [],
  );
  const translated =
    expressions.total === 0 ? "" : ` ${expressions.cel} of ${expressions.total} expressions translated.`;
  return `From ${sourceWords(format, nodes.total)}: ${counts.join(", ")}.${translated}`;
}

/** What an import says of a credential that can be chosen right here; of no other one. */
function wordsOfCredential(
  entries: readonly ReportEntry[],
  { nodeId, title }: OpenCredential,
): ReportEntry | undefined {
  return entries.find(
    (entry) =>
      entry.outcome === "needsCredential" &&
      entry.note !== takenOut &&
      (entry.nodeId === undefined ? entry.node === title : entry.nodeId === nodeId),
  );
}

/** Everything of another builder's workflow that is not simply taken over, but for what is said where a credential is chosen. */
function BecameOf({ entries, said }: { entries: readonly ReportEntry[]; said: ReadonlySet<ReportEntry> }) {
  const [showDropped, setShowDropped] = useState(false);
  const told = entries.filter((entry) => entry.outcome !== "mapped" && entry.note !== "" && !said.has(entry));
  const dropped = told.filter(({ outcome }) => outcome === "dropped");
  if (told.length === 0) return null;
  return (
    <Part icon="list" title="What became of it" text="Everything else was taken over as it was.">
      {byNode(showDropped ? told : told.filter((entry) => !dropped.includes(entry))).map(([node, texts]) => (
        <Lines key={node} title={node} texts={texts} />
      ))}
      {dropped.length > 0 && (
        <li>
          <Button size="sm" variant="ghost" aria-expanded={showDropped} onClick={() => setShowDropped(!showDropped)}>
            {showDropped ? "Hide" : "Show"} {dropped.length} {dropped.length === 1 ? "setting" : "settings"} without
            effect here
          </Button>
        </li>
      )}
    </Part>
  );
}

/** What is said of each node, in the order of the file. */
function byNode(entries: readonly ReportEntry[]): [node: string, texts: string[]][] {
  const texts = new Map<string, string[]>();
  for (const { about, node, sourceType, outcome, note } of entries) {
    const isPart = about === "expression" || about === "setting";
    const word = isPart && outcome !== "dropped" && outcome !== "needsCredential" ? "" : outcomeWords[outcome];
    const words = [word, isPart ? sourceType.trim() : ""].filter((one) => one !== "").join(", ");
    const title = node === "" ? "The workflow" : node;
    texts.set(title, [...(texts.get(title) ?? []), `${words}: ${note}`]);
  }
  return [...texts];
}

function Part({ icon, title, text, children }: { icon: IconName; title: string; text?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border">
      <div className="flex items-start gap-2 border-b px-3 py-2">
        <span className="mt-0.5 text-muted">
          <Icon name={icon} />
        </span>
        <div>
          <h3 className="font-medium">{title}</h3>
          {text !== undefined && <p className="text-xs text-muted">{text}</p>}
        </div>
      </div>
      <ul className="flex flex-col gap-1.5 px-3 py-2">{children}</ul>
    </section>
  );
}

function Lines({ title, texts: [first = "", ...more] }: { title: string; texts: readonly string[] }) {
  return (
    <li className="wrap-anywhere">
      <p className="line-clamp-4">
        <span className="font-medium">{title}</span> <span className="text-muted">{first}</span>
      </p>
      {more.map((text, index) => (
        <p key={`${index} ${text}`} className="line-clamp-4 pl-3 text-muted">
          {text}
        </p>
      ))}
    </li>
  );
}

function Line({ title, text }: { title: string; text: string }) {
  return (
    <li className="wrap-anywhere">
      <span className="font-medium">{title}</span> <span className="text-muted">{text}</span>
    </li>
  );
}

function CredentialRow({
  credential: { nodeId, title, types, required },
  note,
  own,
  value,
  onChoose,
}: {
  credential: OpenCredential;
  /** What became of the one that it had. */
  note: string | undefined;
  own: readonly CredentialSummary[];
  value: string;
  onChoose: (nodeId: string, credential: string) => void;
}) {
  const fitting = own.filter(({ type }) => types.length === 0 || types.includes(type));
  const none = fitting.length === 0 ? "No matching credential" : required ? "Choose later" : "None";
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        {note !== undefined && <span className="block text-xs text-muted">{note}</span>}
      </span>
      <Select
        aria-label={`Credential of ${title}`}
        className="w-56!"
        value={value}
        disabled={fitting.length === 0}
        onValueChange={(id) => onChoose(nodeId, id)}
        options={[
          { value: "", label: none },
          ...fitting.map((each) => ({ value: each.id, label: credentialLabel(each) })),
        ]}
      />
    </li>
  );
}
