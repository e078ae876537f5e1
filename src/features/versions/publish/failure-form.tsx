import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkflowChoices } from "../../../state/shared/choices.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import type { FailureTarget } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { showMadeSecret } from "../../../ui/overlays/made-secret-store.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SearchedSelect } from "../../../ui/fields/searched-select.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";

/** Who is told when a run fails, a schedule stops or a spending limit is near. */
export function FailureForm() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const stored = useQuery({
    queryKey: ["failure-target", workflowId],
    queryFn: () => publications.failureTarget(workflowId),
  });
  if (stored.isPending) {
    return (
      <div className="flex h-20 items-center justify-center">
        <Spinner label="Loading who is told" />
      </div>
    );
  }
  if (stored.isLoadingError) {
    return (
      <div className="p-4">
        <LoadFailure error={stored.error} onRetry={() => void stored.refetch()} />
      </div>
    );
  }
  return <TargetForm stored={stored.data} />;
}

/** A secret of 32 bytes as Standard Webhooks write it. */
function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

/** Why an address cannot be called; undefined where it may be, or is empty. */
function addressProblem(url: string): string | undefined {
  if (url === "") return undefined;
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isWeb && url.length <= 2_000 ? undefined : "Enter an address that begins with https://.";
}

function TargetForm({ stored }: { stored: FailureTarget & { problem: string | null } }) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const queries = useQueryClient();
  const [told, setTold] = useState(stored.workflowId ?? "");
  const [url, setUrl] = useState(stored.url ?? "");
  const problem = addressProblem(url.trim());
  const refresh = () => queries.invalidateQueries({ queryKey: ["failure-target", workflowId] });
  const onError = (error: unknown) => showError(error);

  const renew = useMutation({
    mutationFn: async () => {
      const made = newSigningSecret();
      await publications.setFailureSecret(workflowId, made);
      return made;
    },
    onSuccess: (secret) => showMadeSecret({ name: "Signing secret", secret }),
    onError,
  });
  const save = useMutation({
    mutationFn: () =>
      publications.setFailureTarget(workflowId, {
        workflowId: told === "" ? null : told,
        url: url.trim() === "" ? null : url.trim(),
      }),
    onSuccess: async () => {
      const isNew = stored.url === null && url.trim() !== "";
      await refresh();
      showToast("Alerts saved");
      // Nothing is sent unsigned.
      if (isNew) renew.mutate();
    },
    onError,
  });

  return (
    <form
      className="flex flex-col gap-4 p-5 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) save.mutate();
      }}
    >
      <p className="text-muted">
        Sends a message when a run on the server fails, a schedule stops, or 80% of a spending limit is used.
      </p>
      {stored.problem !== null && (
        <Notice tone="danger" title="Nobody could be told">
          {stored.problem}
        </Notice>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Start a workflow" help="Its live version gets what happened as its input.">
          {(control) => <ToldWorkflow control={control} value={told} onChange={setTold} />}
        </Field>
        <Field
          label="Call a webhook"
          help="By POST, signed as Standard Webhooks say, and again for half a day if nobody answers."
          {...(problem === undefined ? {} : { error: problem })}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="url"
              placeholder="https://"
              value={url}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
        <Button type="submit" busy={save.isPending}>
          Save alerts
        </Button>
        {stored.url !== null && (
          <Button busy={renew.isPending} onClick={() => renew.mutate()}>
            Replace the signing secret
          </Button>
        )}
      </div>
    </form>
  );
}

interface ToldWorkflowProps {
  control: Parameters<Parameters<typeof Field>[0]["children"]>[0];
  value: string;
  onChange: (id: string) => void;
}

function ToldWorkflow({ control, value, onChange }: ToldWorkflowProps) {
  const { workflowId } = useEditor();
  const { rows, searched, missing } = useWorkflowChoices(value);
  const others = rows.filter(({ id }) => id !== workflowId);
  return (
    <SearchedSelect
      {...control}
      {...searched}
      first={others[0]?.id}
      what="workflows"
      value={value}
      onValueChange={onChange}
      options={[
        { value: "", label: "None" },
        ...(missing ? [{ value, label: "A workflow that this account does not have" }] : []),
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
