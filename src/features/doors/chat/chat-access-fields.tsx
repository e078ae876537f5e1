import { chatAccess, type ChatAccess } from "../../../doors/chat-door.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import type { ChatDraft } from "./chat-draft.ts";

/** What a visitor is let in by, as it is typed; empty keeps what is stored. */
export interface EntrySecret {
  password: string;
  signing: string;
}

export interface DraftFieldsProps {
  draft: ChatDraft;
  problems: Partial<Record<keyof ChatDraft, string>>;
  onChange: (change: Partial<ChatDraft>) => void;
}

interface ChatAccessFieldsProps extends Omit<DraftFieldsProps, "problems"> {
  /** Names of the stored secrets. */
  stored: readonly string[];
  secret: EntrySecret;
  missing: string | null;
  onSecret: (secret: EntrySecret) => void;
}

/** Whom a page lets in. */
export const accessLabels: Record<ChatAccess, { label: string; help: string }> = {
  public: { label: "Anybody with the link", help: "Each visitor sees their own conversations only." },
  password: { label: "Anybody with a password", help: "One password for all visitors. A new one signs everybody out." },
  account: { label: "People with an account", help: "They sign in with an account of this studio." },
  signed: {
    label: "Whom your site signs in",
    help: "Your server signs a JWT (HS256), { sub, exp }, and your page hands it to the frame. docs/publish.md shows how.",
  },
};

/** An error where there is one. */
export const errorOf = (problem: string | null | undefined): { error?: string } =>
  problem === null || problem === undefined ? {} : { error: problem };

/** Whom the page lets in. */
export function ChatAccessFields(props: ChatAccessFieldsProps) {
  const { draft, stored, secret, missing, onChange, onSecret } = props;
  return (
    <section aria-label="Access" className="grid items-start gap-4 md:grid-cols-2">
      <Field label="Open to" help={accessLabels[draft.access].help}>
        {(control) => (
          <Select
            {...control}
            value={draft.access}
            options={chatAccess.map((value) => ({ value, label: accessLabels[value].label }))}
            onValueChange={(value) =>
              onChange({ access: chatAccess.find((access) => access === value) ?? draft.access })
            }
          />
        )}
      </Field>
      {draft.access === "password" && (
        <Field label="Password" help="Stored as a hash; it is not shown again." {...errorOf(missing)}>
          {(control) => (
            <Input
              {...control}
              type="text"
              autoComplete="off"
              maxLength={200}
              placeholder={stored.includes("passwordHash") ? "Set; type to change it" : ""}
              value={secret.password}
              onChange={(event) => onSecret({ ...secret, password: event.target.value })}
            />
          )}
        </Field>
      )}
      {draft.access === "signed" && (
        <Field
          label="Signing secret"
          group
          help={
            secret.signing === ""
              ? stored.includes("signingSecret")
                ? "Set. A new one signs everybody out."
                : "Your server needs it."
              : "Copy it now and save: it is not shown again."
          }
          {...errorOf(missing)}
        >
          {() =>
            secret.signing === "" ? (
              <Button
                className="self-start"
                icon="key-round"
                onClick={() => onSecret({ ...secret, signing: newSigningSecret() })}
              >
                Make a new secret
              </Button>
            ) : (
              <p className="flex items-center gap-2">
                <code className="min-w-0 font-mono text-xs wrap-anywhere">{secret.signing}</code>
                <CopyButton text={() => secret.signing} label="Copy the secret" />
              </p>
            )
          }
        </Field>
      )}
    </section>
  );
}

function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
