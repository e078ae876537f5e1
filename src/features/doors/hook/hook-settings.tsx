import { useState } from "react";
import { hookAnswers } from "../../../doors/hook-door.ts";
import { hookSchemeFacts, hookSchemes } from "../../../doors/hook-scheme.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { TrustedCallers } from "../trusted-callers.tsx";
import { HookSecret } from "./hook-secret.tsx";
import { answerWords, setupSteps } from "./setup-steps.ts";
import type { HookDoor, useHookDoor } from "./use-hook-door.ts";

type Hooks = ReturnType<typeof useHookDoor>;

/** Who may call the webhook, and what a caller gets. */
export function HookSettings({ door, hooks }: { door: HookDoor; hooks: Hooks }) {
  const { save, renew, makeVerifyToken } = hooks;
  const [config, setConfig] = useState(door.config);
  const change = (part: Partial<typeof config>) => setConfig({ ...config, ...part });
  const store = () => {
    // A secret of one kind of sender is none of another.
    const isOther = config.scheme !== door.config.scheme;
    const secrets = { current: null, previous: null, verify: null };
    save.mutate({ enabled: door.enabled, config, ...(isOther ? { secrets } : {}) });
  };
  return (
    <form
      className="flex flex-col gap-5 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        store();
      }}
    >
      <p className="text-muted">
        A request to the test address starts nothing. It is kept for a week, and the Webhook node takes it with “Use
        last request”.
      </p>
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
        <Field
          label="Keep files"
          inline
          help="The run gets pictures, documents and files of forms as files, up to 100 MB a request, or 16 MB where it is signed. Off: as base64 in the body."
        >
          {(control) => (
            <Switch {...control} checked={config.keepFiles} onCheckedChange={(keepFiles) => change({ keepFiles })} />
          )}
        </Field>
        {hookSchemeFacts[config.scheme].signs === "body" && (
          <Field
            label="Equal bodies are different events"
            inline
            help="For senders that repeat themselves, such as an hourly ping. Whoever has seen a delivery can then send it again. Off: a body that came before starts nothing, as long as the secret stays."
          >
            {(control) => (
              <Switch
                {...control}
                checked={config.equalBodiesDiffer}
                onCheckedChange={(equalBodiesDiffer) => change({ equalBodiesDiffer })}
              />
            )}
          </Field>
        )}
      </div>
      <TrustedCallers
        who="Callers"
        trusted={config.callersTrusted}
        onChange={(callersTrusted) => change({ callersTrusted })}
      />
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
