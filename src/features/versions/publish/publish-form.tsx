import { type ComponentType, useId, useState } from "react";
import type { Bundle } from "../../../engine/publish/bundle.ts";
import type { PublishTests, PublishTestsProps } from "../../../state/publication/publish-tests.ts";
import type { PublishTrustProps } from "../../../state/publication/publish-trust.ts";
import { type Publication, type PublishTarget, ServiceError } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { errorHint } from "../../../ui/feedback/error-hint.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { PublishProblems } from "./publish-problems.tsx";
import { PublishedChanges } from "./published-changes.tsx";
import { slugProblem } from "../../../engine/publish/slug.ts";
import { useBundle } from "./use-bundle.ts";
import { UncountedNotice } from "./uncounted-notice.tsx";
import {
  type Published,
  useFreeSlug,
  usePublishedVersions,
  usePublishing,
  useSayPublished,
} from "./use-publication.ts";

interface PublishFormProps {
  publication: Publication | null;
  Tests: ComponentType<PublishTestsProps>;
  Trust: ComponentType<PublishTrustProps>;
  onClose: () => void;
  onPublished: (published: Published) => void;
}

/** Checks the workflow with all that it runs, and offers to publish it; or says what is in the way. */
export function PublishForm({ publication, Tests, Trust, onClose, onPublished }: PublishFormProps) {
  const made = useBundle();
  const name = made.data?.result.ok === true ? made.data.result.bundle.document.name : undefined;
  const free = useFreeSlug(publication === null ? name : undefined);
  if (made.isPending || (free.isPending && free.isEnabled)) return <Checking />;
  if (made.isError) {
    return (
      <div className="p-4">
        <LoadFailure error={made.error} onRetry={() => void made.refetch()} />
      </div>
    );
  }
  const { result, revision } = made.data;
  if (!result.ok) return <PublishProblems problems={result.problems} onClose={onClose} />;
  const { bundle } = result;
  const isRefreshing = made.isFetching;
  const firstSlug = publication?.slug ?? free.data ?? "";
  return (
    <Tests bundle={bundle} live={publication?.live ?? null}>
      {(tests) => (
        <OnceChecked
          {...{ bundle, revision, publication, firstSlug, tests, isRefreshing, Trust, onClose, onPublished }}
        />
      )}
    </Tests>
  );
}

function Checking() {
  return (
    <div className="flex h-full items-center justify-center">
      <Spinner label="Checking the workflow" />
    </div>
  );
}

/** The form stays, with what was typed, while a version that has changed is checked again. */
function OnceChecked(props: NewVersionProps) {
  const isChecking = props.tests.state === "checking";
  const [wasChecked, setWasChecked] = useState(!isChecking);
  if (!isChecking && !wasChecked) setWasChecked(true);
  return wasChecked ? <NewVersion {...props} /> : <Checking />;
}

const targets = [
  { value: "live", label: "Live: what callers and schedules run" },
  { value: "staging", label: "Staging: to try it first" },
];

interface NewVersionProps extends Omit<PublishFormProps, "Tests"> {
  bundle: Bundle;
  revision: number;
  firstSlug: string;
  tests: PublishTests;
  /** The workflow has changed, and a newer version than `bundle` is on its way. */
  isRefreshing: boolean;
}

function NewVersion(props: NewVersionProps) {
  const { bundle, revision, publication, firstSlug, tests, isRefreshing, Trust, onClose, onPublished } = props;
  const { publish } = usePublishing();
  const sayPublished = useSayPublished();
  const [slug, setSlug] = useState(firstSlug);
  const [note, setNote] = useState("");
  const [target, setTarget] = useState<PublishTarget>("live");
  const others = Object.values(bundle.workflows).map(({ name }) => name);
  const taken = publish.error instanceof ServiceError && publish.error.kind === "conflict" ? publish.error : null;
  const slugError = slugProblem(slug) ?? (taken === null ? undefined : `${taken.message} ${taken.hint}`);
  const versions = usePublishedVersions().rows;
  const latest = versions?.[0];
  const live = versions?.find(({ version }) => version === publication?.live);
  const isSame = publication !== null && latest?.hash === bundle.hash;
  // Publishing would change nothing at all: no version, no target, no address. A note belongs to a new version.
  const isPointless = isSame && publication[target] === latest.version && slug === publication.slug;
  const reasonId = useId();
  const isBusy = isRefreshing || tests.state === "checking" || tests.state === "running";
  const isReady = !isPointless && slugProblem(slug) === undefined && tests.state !== "blocked" && !isBusy;
  const store = () => {
    if (!isReady) return;
    publish.submit(
      { bundle, revision, slug, note: note.trim(), target },
      {
        onDone: (made) => onPublished({ ...made, target }),
        onLeft: (made) => sayPublished({ ...made, target }),
      },
    );
  };
  const submit = async () => {
    if (!isReady) return;
    if (tests.state !== "to-run") return store();
    // Its failure is shown beside the tests. Nothing is published once the dialog is closed.
    const state = await tests.run().catch(() => undefined);
    if (state === "passed") store();
  };
  return (
    <form
      className="flex h-full flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="grid min-h-0 flex-1 content-start gap-x-6 gap-y-4 overflow-y-auto p-5 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
        <div className="flex min-w-0 flex-col gap-3 empty:hidden md:col-span-2">
          <Trust bundle={bundle} publication={publication} live={live} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-md:order-last">
          <PublishedChanges bundle={bundle} publication={publication} />
          {isSame && !isPointless && (
            <p className="text-muted numeric">
              Version {latest.version} is the same: no new one is made, and publishing points to it.
            </p>
          )}
        </div>
        <div className="flex flex-col gap-4">
          <Field label="Publish to">
            {(control) => (
              <Select
                {...control}
                value={target}
                options={targets}
                onValueChange={(value) => setTarget(value === "staging" ? "staging" : "live")}
              />
            )}
          </Field>
          <Field
            label="Address"
            required
            help="The name commands and programs use to start it."
            {...(slugError === undefined ? {} : { error: slugError })}
          >
            {(control) => (
              <Input
                {...control}
                mono
                value={slug}
                maxLength={60}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => {
                  setSlug(event.target.value);
                  publish.reset();
                }}
              />
            )}
          </Field>
          <Field label="Note" help="What changed, for the list of versions.">
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxRows={5}
                maxLength={2_000}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Field>
          {others.length > 0 && (
            <p className="text-muted">
              Published with it, as they are now: <span className="font-medium text-ink">{others.join(", ")}</span>.
            </p>
          )}
          {bundle.schedules.length > 0 && (
            <p className="text-muted">
              {bundle.schedules.length === 1 ? "Its schedule starts" : "Its schedules start"} once it is live.
            </p>
          )}
          {publication === null && (
            <p className="text-muted">
              Once it is published, you choose where it runs: a chat page, your website, the API.
            </p>
          )}
          {publication !== null && publication.uncounted.length > 0 && (
            <UncountedNotice models={publication.uncounted} />
          )}
          {tests.section}
          {publish.error !== null && taken === null && (
            <Notice tone="danger" title={publish.error.message}>
              {errorHint(publish.error)}
            </Notice>
          )}
        </div>
      </div>
      <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t px-5 py-3 max-sm:[&>button]:flex-1">
        {isPointless && (
          <p id={reasonId} role="status" className="mr-auto min-w-0 text-muted numeric max-sm:w-full">
            Version {latest.version} is {target === "live" ? "live" : "in staging"} and the same: there is nothing to
            publish.
          </p>
        )}
        <Button onClick={onClose}>Cancel</Button>
        {tests.state === "to-run" && !tests.required && !isPointless && (
          <Button busy={publish.isPending} onClick={store}>
            Publish without tests
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          disabled={tests.state === "blocked"}
          busy={publish.isPending || isBusy}
          // It can be reached, so that the reason is heard.
          {...(isPointless ? { "aria-disabled": true, "aria-describedby": reasonId } : {})}
        >
          {submitWords(tests.state, target)}
        </Button>
      </footer>
    </form>
  );
}

function submitWords(state: PublishTests["state"], target: PublishTarget): string {
  const where = target === "live" ? "" : " to staging";
  switch (state) {
    case "to-run":
    case "running":
      return `Test and publish${where}`;
    case "failed":
      return `Publish${where} anyway`;
    default:
      return `Publish${where}`;
  }
}
