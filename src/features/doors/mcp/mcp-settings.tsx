import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { CopyLine } from "../door-row.tsx";
import { ProgramTabs } from "../program-tabs.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { clientSnippets } from "./client-snippets.ts";
import type { McpDoor, useMcpDoor } from "./use-mcp-door.ts";

interface McpSettingsProps {
  door: McpDoor;
  slug: string;
  save: ReturnType<typeof useMcpDoor>["save"];
}

/** What clients read of the workflow, and how they connect. */
export function McpSettings({ door, slug, save }: McpSettingsProps) {
  const [description, setDescription] = useState(door.config.description);
  const { callersTrusted } = door.config;
  const store = (trusted = callersTrusted) =>
    save.mutate({ enabled: door.enabled, config: { description: description.trim(), callersTrusted: trusted } });
  return (
    <form
      className="flex flex-col gap-5 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        store();
      }}
    >
      <TrustedCallers
        who="Clients"
        trusted={callersTrusted}
        busy={save.isPending}
        onChange={(trusted) => store(trusted)}
      />
      <Field label="What it does" help="Models choose tools by this text. Say what to ask it and what it returns.">
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={1_000}
            value={description}
            placeholder={door.usualDescription}
            onChange={({ target }) => setDescription(target.value)}
          />
        )}
      </Field>
      <Button type="submit" className="self-start max-sm:self-stretch" busy={save.isPending}>
        Save description
      </Button>
      <CopyLine label="All workflows" text={door.sharedAddress} copyLabel="Copy the address: All workflows" />
      <p className="text-muted">
        Runs start with the client’s API key. Nobody is asked: tools that need approval are refused.{" "}
        <Link href="/settings/api-keys" className="text-accent underline">
          Create an API key
        </Link>
      </p>
      <ProgramTabs snippets={clientSnippets(slug, door.address)} label="Clients" copyLabel="Copy the settings" />
    </form>
  );
}
