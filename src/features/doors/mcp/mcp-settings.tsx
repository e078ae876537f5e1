import { useState } from "react";
import { Link } from "wouter";
import { useDocumentStore } from "../../../stores/editor-context.tsx";
import type { Publication } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Loaded } from "../../../ui/feedback/loaded.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { DoorAddress, ProgramTabs } from "../program-tabs.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { clientSnippets } from "./client-snippets.ts";
import { type McpDoor, useMcpDoor } from "./use-mcp-door.ts";

/** The open workflow as a tool of MCP clients: whether it is one, what they read of it, and how they connect. */
export function McpPanel({ publication }: { publication: Publication }) {
  const name = useDocumentStore(({ document }) => document.name);
  const { door, save } = useMcpDoor(publication, name);
  return (
    <Loaded query={door} label="Loading the MCP settings">
      {(data) => <McpForm door={data} publication={publication} save={save} />}
    </Loaded>
  );
}

interface McpFormProps {
  door: McpDoor;
  publication: Publication;
  save: ReturnType<typeof useMcpDoor>["save"];
}

function McpForm({ door, publication, save }: McpFormProps) {
  const [description, setDescription] = useState(door.config.description);
  const { callersTrusted } = door.config;
  const store = (enabled: boolean, trusted = callersTrusted) =>
    save.mutate({ enabled, config: { description: description.trim(), callersTrusted: trusted } });
  const { slug } = publication;
  return (
    <form
      className="flex flex-col gap-5 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        store(door.enabled);
      }}
    >
      {publication.live === null && (
        <Notice tone="warning" title="No version is live">
          Clients find no tool until one is.
        </Notice>
      )}
      <Field
        label="Offer it to MCP clients"
        inline
        help={
          door.enabled
            ? `Clients call the live version as the tool ${slug}, with an API key that may run it.`
            : "No client finds it."
        }
      >
        {(control) => (
          <Switch {...control} checked={door.enabled} busy={save.isPending} onCheckedChange={(on) => store(on)} />
        )}
      </Field>
      <TrustedCallers
        who="Clients"
        trusted={callersTrusted}
        busy={save.isPending}
        onChange={(trusted) => store(door.enabled, trusted)}
      />
      {door.enabled && !callersTrusted && <LiveExposure door="mcp" publication={publication} />}
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
      <div className="flex flex-col gap-1">
        <DoorAddress label="This workflow" address={door.address} />
        <DoorAddress label="All workflows" address={door.sharedAddress} />
      </div>
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
