import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { type DraftFieldsProps, errorOf } from "./chat-access-fields.tsx";

const limits = [
  { name: "perDay", label: "Messages a day", help: "From all visitors together, by UTC." },
  { name: "perMinute", label: "Messages a minute", help: "From one address." },
  { name: "messageChars", label: "Characters of a message", help: "At most 20000." },
  { name: "visitorPerDay", label: "Share of one visitor", help: "In messages a day. Empty: a tenth of all." },
  { name: "networkPerDay", label: "Share of one network", help: "In messages a day. Empty: three tenths of all." },
  { name: "visitorMbPerDay", label: "MB a day from one visitor", help: "From one network: three times as much." },
] as const;

/** What the page takes from visitors. What runs may cost is set under Limits and alerts. */
export function ChatLimitFields({ draft, problems, onChange }: DraftFieldsProps) {
  return (
    <section aria-label="Limits of the chat page" className="grid items-start gap-4 md:grid-cols-3">
      {limits.map(({ name, label, help }) => (
        <Field key={name} label={label} help={help} {...errorOf(problems[name])}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft[name]}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className="md:col-span-3">
        <Field
          label="Ask new visitors’ browsers for proof of work"
          inline
          help="About a second of computing before the first message, so that opening many sessions by script is costly."
        >
          {(control) => (
            <Switch
              {...control}
              checked={draft.asksForWork}
              onCheckedChange={(asksForWork) => onChange({ asksForWork })}
            />
          )}
        </Field>
      </div>
      <div className="md:col-span-3">
        <Field
          label="When the day's messages are used up"
          help="What visitors then read. Empty: that they may come back tomorrow."
          {...errorOf(problems.closedMessage)}
        >
          {(control) => (
            <Input
              {...control}
              maxLength={300}
              value={draft.closedMessage}
              onChange={(event) => onChange({ closedMessage: event.target.value })}
            />
          )}
        </Field>
      </div>
    </section>
  );
}
