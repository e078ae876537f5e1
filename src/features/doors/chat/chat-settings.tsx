import { useState } from "react";
import { hashPassword } from "../../../doors/password-hash.ts";
import type { Publication } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Loaded } from "../../../ui/feedback/loaded.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { ChatAccessFields, type EntrySecret } from "./chat-access-fields.tsx";
import { type ChatDraft, draftOf, readDraft } from "./chat-draft.ts";
import { ChatLimitFields } from "./chat-limit-fields.tsx";
import { ChatLooksFields } from "./chat-looks-fields.tsx";
import { ChatSnippet } from "./chat-snippet.tsx";
import { type ChatDoor, useChatDoor, useHasChatTrigger } from "./use-chat-door.ts";

/** The chat page of the open workflow: its address, whom it lets in, how it looks and what it takes. */
export function ChatPanel({ publication }: { publication: Publication }) {
  const { door, save } = useChatDoor();
  return (
    <Loaded query={door} label="Loading the chat page">
      {(data) => <ChatForm door={data} publication={publication} save={save} />}
    </Loaded>
  );
}

interface ChatFormProps {
  door: ChatDoor;
  publication: Publication;
  save: ReturnType<typeof useChatDoor>["save"];
}

function ChatForm({ door, publication, save }: ChatFormProps) {
  const [draft, setDraft] = useState(() => draftOf(door.config));
  const [secret, setSecret] = useState<EntrySecret>({ password: "", signing: "" });
  const [missing, setMissing] = useState<string | null>(null);
  const hasTrigger = useHasChatTrigger(publication);
  const read = readDraft(draft);
  const problems = read.ok ? {} : read.problems;
  const address = `${location.origin}/c/${publication.slug}`;
  const change = (part: Partial<ChatDraft>) => setDraft({ ...draft, ...part });

  const store = async (enabled: boolean) => {
    if (!read.ok) return;
    const { access } = read.config;
    const lacks =
      (access === "password" &&
        secret.password === "" &&
        !door.secrets.includes("passwordHash") &&
        "Set a password.") ||
      (access === "signed" && secret.signing === "" && !door.secrets.includes("signingSecret") && "Make a secret.");
    setMissing(lacks || null);
    if (lacks) return;
    const secrets = {
      ...(secret.password !== "" && { passwordHash: await hashPassword(secret.password, crypto) }),
      ...(secret.signing !== "" && { signingSecret: secret.signing }),
    };
    save.submit(
      { enabled, config: read.config, ...(Object.keys(secrets).length > 0 && { secrets }) },
      { onDone: () => setSecret({ password: "", signing: "" }) },
    );
  };
  return (
    <form
      className="flex flex-col gap-6 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        void store(door.enabled);
      }}
    >
      {hasTrigger === false && (
        <Notice tone="warning" title="The live version has no chat trigger">
          Add a chat trigger to the workflow and publish it.
        </Notice>
      )}
      <Field
        label="Chat page"
        inline
        help={door.enabled ? "The page answers with the live version." : "The page says that there is no chat."}
      >
        {(control) => (
          <Switch
            {...control}
            checked={door.enabled}
            busy={save.isPending}
            disabled={!read.ok}
            onCheckedChange={(on) => void store(on)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 font-mono text-xs wrap-anywhere">{address}</code>
        <CopyButton text={() => address} label="Copy the link" />
        {door.enabled && (
          <Button size="sm" icon="arrow-up-right" asChild>
            <a href={address} target="_blank" rel="noopener">
              Open
            </a>
          </Button>
        )}
      </div>
      <ChatSnippet slug={publication.slug} />
      <ChatAccessFields
        draft={draft}
        problems={problems}
        stored={door.secrets}
        secret={secret}
        missing={missing}
        onChange={change}
        onSecret={setSecret}
      />
      <TrustedCallers
        who="Visitors"
        trusted={draft.callersTrusted}
        onChange={(callersTrusted) => change({ callersTrusted })}
      />
      {door.enabled && !draft.callersTrusted && <LiveExposure door="chat" publication={publication} />}
      <ChatLooksFields draft={draft} problems={problems} onChange={change} />
      <ChatLimitFields draft={draft} problems={problems} onChange={change} />
      <Button
        type="submit"
        variant="primary"
        className="self-start max-sm:self-stretch"
        disabled={!read.ok}
        busy={save.isPending}
      >
        Save chat page
      </Button>
    </form>
  );
}
