import { Field } from "../../ui/fields/field.tsx";
import { Switch } from "../../ui/fields/switch.tsx";

interface TrustedCallersProps {
  /** What those are called who come by this door, such as "Visitors". */
  who: string;
  trusted: boolean;
  busy?: boolean;
  onChange: (trusted: boolean) => void;
}

const help = {
  off: "What they send counts as a stranger's words. Tools set to “Ask after untrusted” then ask you in the inbox, or are refused where nobody can be asked.",
  on: "What they send counts as your own words, so those tools send and change things without asking. Switch this on only if every caller may make them do that. Attached files, and what the workflow reads from outside, still count as a stranger's words.",
};

/** Whether the callers of a door are trusted, and what that means. */
export function TrustedCallers({ who, trusted, busy = false, onChange }: TrustedCallersProps) {
  return (
    <Field label={`${who} are trusted`} inline help={trusted ? help.on : help.off}>
      {(control) => <Switch {...control} checked={trusted} busy={busy} onCheckedChange={onChange} />}
    </Field>
  );
}
