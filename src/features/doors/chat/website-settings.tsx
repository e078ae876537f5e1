import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { errorOf } from "./chat-access-fields.tsx";
import { draftOf, readDraft } from "./chat-draft.ts";
import type { ChatDoor, useChatDoor } from "./use-chat-door.ts";

/** What a website takes in to show the chat in its corner. */
export function WebsiteSnippet({ slug }: { slug: string }) {
  const code = [
    `<script src="${location.origin}/widget.js" defer></script>`,
    `<switchyard-chat slug="${slug}"></switchyard-chat>`,
  ].join("\n");
  return (
    <div className="flex items-start gap-2">
      {/* Can be scrolled by keyboard. */}
      <pre
        tabIndex={0}
        aria-label="Code for your website"
        className="min-w-0 flex-1 overflow-x-auto rounded-md border bg-canvas p-2 font-mono text-xs"
      >
        {code}
      </pre>
      <CopyButton text={() => code} label="Copy the code" />
    </div>
  );
}

interface WebsiteSettingsProps {
  door: ChatDoor;
  save: ReturnType<typeof useChatDoor>["save"];
  /** The website was to be switched on, which needs a site first: it is with the save. */
  isWanted: boolean;
  onSaved: () => void;
}

/** Which sites may show the chat. */
export function WebsiteSettings({ door, save, isWanted, onSaved }: WebsiteSettingsProps) {
  const [sites, setSites] = useState(door.config.sites.join("\n"));
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  const read = readDraft({ ...draftOf(door.config), sites });
  const lacksSite = isWanted && tried && sites.trim() === "";
  const problem = lacksSite ? "Enter the address of your website." : read.ok ? undefined : read.problems.sites;
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!read.ok || (isWanted && sites.trim() === "")) return;
        const config = { ...door.config, sites: read.config.sites, embedded: isWanted || door.config.embedded };
        save.submit({ enabled: isWanted || door.enabled, config }, { onDone: onSaved });
      }}
    >
      <Field
        label="Sites that may show it"
        help="One per line, such as https://www.example.com. All other sites are refused."
        {...errorOf(problem)}
      >
        {(control) => (
          <Textarea
            {...control}
            ref={field}
            rows={2}
            value={sites}
            placeholder="https://www.example.com"
            onChange={(event) => setSites(event.target.value)}
          />
        )}
      </Field>
      <p className="text-muted">
        Put the code into your pages. It shows a button in the corner in the colour of the chat page, and opens the chat
        page, with its looks and limits.
      </p>
      <Button type="submit" className="self-start max-sm:self-stretch" busy={save.isPending}>
        {isWanted ? "Save and switch on" : "Save sites"}
      </Button>
    </form>
  );
}
