import { useState } from "react";
import type { Change } from "../../state/assistant/changes.ts";
import type { ChangeText } from "../../state/assistant/change-text.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { wordDiff } from "../../ui/data/word-diff.ts";
import { DiffText } from "../../ui/data/diff-text.tsx";

const icons: Readonly<Record<Change["kind"], IconName>> = {
  add: "plus",
  remove: "trash-2",
  replace: "replace",
  rename: "pencil",
  set: "settings",
  connect: "plug",
  disconnect: "unplug",
};

/** Longer texts are folded. */
const shownChars = 240;

interface ChangeRowProps {
  change: Change;
  words: ChangeText;
  disabled: boolean;
  /** It can be accepted by itself. */
  acceptable: boolean;
  onShow: () => void;
  onAccept: () => void;
  onReject: () => void;
}

/** One change: what it does, word by word for a setting, and the two buttons that decide. */
export function ChangeRow({ change, words, disabled, acceptable, onShow, onAccept, onReject }: ChangeRowProps) {
  const { title, reaches, before, after } = words;
  return (
    <li className="flex flex-col gap-1 px-3 py-1" data-change={change.kind}>
      <div className="flex items-center gap-2">
        <span className="text-muted">
          <Icon name={icons[change.kind]} />
        </span>
        <button type="button" className="min-w-0 flex-1 text-left wrap-anywhere hover:underline" onClick={onShow}>
          {title}
        </button>
        <IconButton size="sm" icon="x" label={`Reject: ${title}`} disabled={disabled} onClick={onReject} />
        {acceptable && (
          <IconButton size="sm" icon="check" label={`Accept: ${title}`} disabled={disabled} onClick={onAccept} />
        )}
      </div>
      {reaches !== undefined && <p className="pl-6 text-xs text-warning wrap-anywhere">{reaches}</p>}
      {after !== undefined && <SettingDiff before={before ?? ""} after={after} />}
    </li>
  );
}

function SettingDiff({ before, after }: { before: string; after: string }) {
  const [open, setOpen] = useState(false);
  const long = before.length + after.length > shownChars * 2;
  const cut = (text: string) => (long && !open && text.length > shownChars ? `${text.slice(0, shownChars)}…` : text);
  const [old, next] = [cut(before), cut(after)];
  const diff = wordDiff(old, next);
  return (
    <div className="ml-6 flex flex-col gap-1 rounded-md border p-2 text-xs">
      {before !== "" && (
        <p className="whitespace-pre-wrap text-danger wrap-anywhere">
          <span className="sr-only">Before: </span>
          {diff ? <DiffText parts={diff.before} /> : old}
        </p>
      )}
      <p className="whitespace-pre-wrap text-success wrap-anywhere">
        <span className="sr-only">After: </span>
        {after === "" ? <span className="text-muted">(empty)</span> : diff ? <DiffText parts={diff.after} /> : next}
      </p>
      {long && (
        <button type="button" className="self-start text-muted hover:underline" onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show all of it"}
        </button>
      )}
    </div>
  );
}
