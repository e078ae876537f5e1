import { useState } from "react";
import { hashPassword } from "../../../doors/password-hash.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Unsaved } from "../../../ui/overlays/dialog.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { ChatAccessFields, type EntrySecret } from "./chat-access-fields.tsx";
import { type ChatDraft, draftOf, readDraft } from "./chat-draft.ts";
import { ChatLimitFields } from "./chat-limit-fields.tsx";
import { ChatLooksFields } from "./chat-looks-fields.tsx";
import type { ChatDoor, useChatDoor } from "./use-chat-door.ts";

interface ChatSettingsProps {
  door: ChatDoor;
  save: ReturnType<typeof useChatDoor>["save"];
}

/** Whom the chat page lets in, how it looks and what it takes. */
export function ChatSettings({ door, save }: ChatSettingsProps) {
  const [draft, setDraft] = useState(() => draftOf(door.config));
  const [secret, setSecret] = useState<EntrySecret>({ password: "", signing: "" });
  const [missing, setMissing] = useState<string | null>(null);
  const read = readDraft(draft);
  const problems = read.ok ? {} : read.problems;
  const change = (part: Partial<ChatDraft>) => setDraft({ ...draft, ...part });

  const store = async () => {
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
    // The switch and the sites are rows of their own, which may have changed since this was typed.
    const { enabled, config: stored } = door;
    const config = { ...read.config, sites: stored.sites, embedded: stored.embedded };
    save.submit(
      { enabled, config, ...(Object.keys(secrets).length > 0 && { secrets }) },
      { onDone: () => setSecret({ password: "", signing: "" }) },
    );
  };
  return (
    <form
      className="flex flex-col gap-6 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <Unsaved when={!save.isPending && (draft.picture !== door.config.picture || secret.signing !== "")} />
      <ChatAccessFields
        draft={draft}
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
