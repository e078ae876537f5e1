import type { ChangeText, DiffEntry } from "./diff-entry.ts";
import { DiffText } from "./diff-text.tsx";
import { Icon, type IconName } from "../icons/icon.tsx";
import type { SketchMark } from "../graph/sketch.ts";
import { wordDiff } from "./word-diff.ts";

const marks: Record<SketchMark, { icon: IconName; word: string; tint: string }> = {
  added: { icon: "plus", word: "Added", tint: "text-success" },
  removed: { icon: "minus", word: "Removed", tint: "text-danger" },
  changed: { icon: "pencil", word: "Changed", tint: "text-warning" },
  moved: { icon: "arrow-right", word: "Moved", tint: "text-role-memory" },
};

/** What differs between two versions, in words. */
export function ChangeList({ entries }: { entries: readonly DiffEntry[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {entries.map((entry) => (
        <Entry key={`${entry.mark} ${entry.id}`} entry={entry} />
      ))}
    </ul>
  );
}

function Entry({ entry: { title, mark, note, changes } }: { entry: DiffEntry }) {
  const { icon, word, tint } = marks[mark];
  return (
    <li className="flex gap-2">
      <span className={`mt-0.5 ${tint}`}>
        <Icon name={icon} size={14} label={word} />
      </span>
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium wrap-anywhere">{title}</span>
          {note !== undefined && <span className="text-muted"> · {note}</span>}
        </p>
        {changes.map((change) => (
          <Change key={change.label} change={change} />
        ))}
      </div>
    </li>
  );
}

function Change({ change: { label, before, after } }: { change: ChangeText }) {
  if (before === undefined && after === undefined) return <p className="text-muted wrap-anywhere">{label}</p>;
  const words = before !== undefined && after !== undefined ? wordDiff(before, after) : null;
  return (
    <div className="mt-1 text-xs wrap-anywhere">
      <p className="text-muted">{label}</p>
      {before !== undefined && (
        <del className="block rounded-sm bg-danger-soft px-1.5 py-0.5 font-mono no-underline before:content-['−_']">
          {words ? <DiffText parts={words.before} /> : before}
        </del>
      )}
      {after !== undefined && (
        <ins className="block rounded-sm bg-success-soft px-1.5 py-0.5 font-mono no-underline before:content-['+_']">
          {words ? <DiffText parts={words.after} /> : after}
        </ins>
      )}
    </div>
  );
}
