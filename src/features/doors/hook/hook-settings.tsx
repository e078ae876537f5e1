import { useState } from "react";
import { hookAnswers } from "../../../doors/hook-door.ts";
import { hookSchemeFacts, hookSchemes } from "../../../doors/hook-scheme.ts";
import type { Publication } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Loaded } from "../../../ui/feedback/loaded.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { HookSecret } from "./hook-secret.tsx";
import { answerWords, setupSteps } from "./setup-steps.ts";
import { type HookDoor, useHasHookTrigger, useHookDoor } from "./use-hook-door.ts";

type Hooks = ReturnType<typeof useHookDoor>;

/** The webhook of the open workflow: its address, who may call it, and what a caller gets. */
export function HookPanel({ publication }: { publication: Publication }) {
  const hooks = useHookDoor(publication);
  const { door } = hooks;
  return (
    <Loaded query={door} label="Loading the webhook">
      {(data) => <HookForm door={data} publication={publication} hooks={hooks} />}
    </Loaded>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className="w-24 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 font-mono text-xs wrap-anywhere">{address}</code>
      <CopyButton text={() => address} label={`Copy the ${label.toLowerCase()}`} />
    </p>
  );
}

function helpOf({ enabled, secrets }: HookDoor): string {
  if (!enabled) return "Every request is refused.";
  return secrets.includes("current")
    ? "Requests start runs of the live version."
    : "Every request is still refused: the secret is missing.";
}

function HookForm({ door, publication, hooks }: { door: HookDoor; publication: Publication; hooks: Hooks }) {
  const { save, renew, makeVerifyToken } = hooks;
  const [config, setConfig] = useState(door.config);
  const hasTrigger = useHasHookTrigger(publication);
  const change = (part: Partial<typeof config>) => setConfig({ ...config, ...part });
  const store = (enabled: boolean) => {
    // A secret of one kind of sender is none of another.
    const isOther = config.scheme !== door.config.scheme;
    const secrets = { current: null, previous: null, verify: null };
    save.mutate({ enabled, config, ...(isOther ? { secrets } : {}) });
  };
  return (
    <form
      className="flex flex-col gap-5 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        store(door.enabled);
      }}
    >
      {hasTrigger === false && (
        <Notice tone="warning" title="The live version has no webhook trigger">
          Add the node Webhook to the workflow and publish it.
        </Notice>
      )}
      <Field label="Take requests" inline help={helpOf(door)}>
        {(control) => (
          <Switch {...control} checked={door.enabled} busy={save.isPending} onCheckedChange={(on) => store(on)} />
        )}
      </Field>
      <section aria-label="Addresses" className="flex flex-col gap-1">
        <Address label="Address" address={door.address} />
        <Address label="Test address" address={`${door.address}/test`} />
        <p className="text-xs text-muted">
          A request to the test address starts nothing. It is kept for a week, and the Webhook node takes it with “Use
          last request”.
        </p>
      </section>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Callers prove who they are by">
          {(control) => (
            <Select
              {...control}
              value={config.scheme}
              options={hookSchemes.map((value) => ({ value, label: hookSchemeFacts[value].title }))}
              onValueChange={(value) => change({ scheme: hookSchemes.find((one) => one === value) ?? config.scheme })}
            />
          )}
        </Field>
        <Field label="A caller gets" help={answerWords[config.answer].help}>
          {(control) => (
            <Select
              {...control}
              value={config.answer}
              options={hookAnswers.map((value) => ({ value, label: answerWords[value].label }))}
              onValueChange={(value) => change({ answer: hookAnswers.find((one) => one === value) ?? config.answer })}
            />
          )}
        </Field>
        <Field label="GET requests too" inline help="Off: GET requests are refused.">
          {(control) => (
            <Switch {...control} checked={config.allowGet} onCheckedChange={(allowGet) => change({ allowGet })} />
          )}
        </Field>
        <Field label="Keep the raw body" inline help="The run gets it as rawBody, beside the parsed body.">
          {(control) => (
            <Switch
              {...control}
              checked={config.keepRawBody}
              onCheckedChange={(keepRawBody) => change({ keepRawBody })}
            />
          )}
        </Field>
      </div>
      <TrustedCallers
        who="Callers"
        trusted={config.callersTrusted}
        onChange={(callersTrusted) => change({ callersTrusted })}
      />
      {door.enabled && !config.callersTrusted && <LiveExposure door="hook" publication={publication} />}
      <ol className="flex list-decimal flex-col gap-1 pl-5 text-muted">
        {setupSteps[config.scheme].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {config.scheme === door.config.scheme ? (
        <HookSecret
          scheme={door.config.scheme}
          secrets={door.secrets}
          busy={renew.isPending || save.isPending || makeVerifyToken.isPending}
          onMake={(secret, madeAs) => renew.submit({ secret, madeAs, keepPrevious: door.secrets.includes("current") })}
          onEnter={(secret, done) =>
            renew.submit({ secret, keepPrevious: door.secrets.includes("current") }, { onDone: done })
          }
          onEndPrevious={() => save.mutate({ enabled: door.enabled, config: door.config, secrets: { previous: null } })}
          onMakeVerifyToken={(token) => makeVerifyToken.mutate({ stored: door, token })}
        />
      ) : (
        <p className="text-muted">Save first; then set the secret.</p>
      )}
      <Button type="submit" variant="primary" className="self-start max-sm:self-stretch" busy={save.isPending}>
        Save webhook
      </Button>
    </form>
  );
}
