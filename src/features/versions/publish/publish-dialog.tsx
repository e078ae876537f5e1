import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import type { PublishTab } from "../../../state/editor/editor-dialog-store.ts";
import type { PublishTestsProps } from "../../../state/publication/publish-tests.ts";
import type { PublishTrustProps } from "../../../state/publication/publish-trust.ts";
import type { Publication } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog, LeaveButton } from "../../../ui/overlays/dialog.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/layout/tabs.tsx";
import { FailureForm } from "./failure-form.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { PublishForm } from "./publish-form.tsx";
import { PublishedVersions } from "./published-versions.tsx";
import { type Published, publishedText, usePublication } from "./use-publication.ts";

type PublicationPart = ComponentType<{ publication: Publication }>;

interface PublishDialogProps {
  /** Knows the doors; the page hands it in. */
  Where: PublicationPart;
  /** Knows where traces go; the page hands it in. */
  Traces: PublicationPart;
  /** Knows the workflow's tests; the page hands it in. */
  Tests: ComponentType<PublishTestsProps>;
  /** Knows what strangers may do; the page hands it in. */
  Trust: ComponentType<PublishTrustProps>;
  /** Where it opens; at the version when absent. */
  tab?: PublishTab | undefined;
  onClose: () => void;
}

const tabs: readonly { value: PublishTab; title: string }[] = [
  { value: "version", title: "Version" },
  { value: "where", title: "Where it runs" },
  { value: "limits", title: "Limits and alerts" },
];

/** Publishing of the open workflow: its versions, where they run, what runs may take and who is told when they fail. */
export function PublishDialog({ Where, Traces, Tests, Trust, tab: opened = "version", onClose }: PublishDialogProps) {
  const [tab, setTab] = useState(opened);
  const [published, setPublished] = useState<Published | null>(null);
  const publication = usePublication();
  const { data } = publication;
  const isFirst = data === null && published === null;
  const showPublished = (made: Published) => {
    setPublished(made);
    setTab("where");
  };
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      size="xl"
      title="Publish"
      description="A published version runs on the server and never changes. What you edit afterwards is not live until you publish again."
    >
      <div className="-mx-5 -mb-5 flex h-[min(68dvh,600px)] flex-col">
        {publication.isPending && <Waiting label="Loading what is published" />}
        {publication.isError && (
          <div className="p-4">
            <LoadFailure error={publication.error} onRetry={() => void publication.refetch()} />
          </div>
        )}
        {data !== undefined && (
          <Tabs
            value={tab}
            onValueChange={(value) => setTab(tabs.find((one) => one.value === value)?.value ?? "version")}
            className="flex-1"
          >
            <TabList label="Publishing">
              {tabs.map(({ value, title }) => (
                <Tab key={value} value={value}>
                  {title}
                </Tab>
              ))}
            </TabList>
            <TabPanel value="version" keep>
              <VersionPart publication={data}>
                <PublishForm
                  key={published?.version}
                  publication={data}
                  Tests={Tests}
                  Trust={Trust}
                  onClose={onClose}
                  onPublished={showPublished}
                />
              </VersionPart>
            </TabPanel>
            <TabPanel value="where" keep className="flex flex-col">
              <div className="min-h-0 flex-1 overflow-y-auto">
                {published !== null && <PublishedNotice published={published} />}
                {isFirst ? (
                  <NotYet title="Nothing runs yet" onPublish={() => setTab("version")}>
                    Once a version is published, you switch on here where it runs: a chat page, your website, the API
                    and OpenAI's clients, a webhook, a schedule, MCP and A2A.
                  </NotYet>
                ) : data === null ? (
                  <Waiting label="Loading where it runs" />
                ) : (
                  <Where publication={data} />
                )}
              </div>
              <footer className="flex shrink-0 justify-end border-t px-5 py-3 max-sm:[&>button]:flex-1">
                <LeaveButton>Done</LeaveButton>
              </footer>
            </TabPanel>
            <TabPanel value="limits" keep className="overflow-y-auto">
              {isFirst ? (
                <NotYet title="Nothing to limit yet" onPublish={() => setTab("version")}>
                  Once a version is published, you set here how much its runs may take and cost, and who is told when
                  they fail.
                </NotYet>
              ) : data === null ? (
                <Waiting label="Loading the limits" />
              ) : (
                <>
                  <Section title="Limits">
                    <LimitsForm publication={data} />
                  </Section>
                  <Section title="Alerts">
                    <FailureForm />
                  </Section>
                  <Section title="Traces">
                    <Traces publication={data} />
                  </Section>
                </>
              )}
            </TabPanel>
          </Tabs>
        )}
      </div>
    </Dialog>
  );
}

/** Stands where a tab has nothing before the first version, and leads to it. */
function NotYet({ title, onPublish, children }: { title: string; onPublish: () => void; children: ReactNode }) {
  return (
    <EmptyState
      icon="rocket"
      title={title}
      action={
        <Button variant="primary" onClick={onPublish}>
          Publish the first version
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <div className="flex h-full flex-1 items-center justify-center border-t first:border-t">
      <Spinner label={label} />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b last:border-b-0">
      <h3 className="px-5 pt-5 text-base font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** A new version, or those that there are. */
function VersionPart({ publication, children }: { publication: Publication | null; children: ReactNode }) {
  const [showsAll, setShowsAll] = useState(false);
  if (publication === null) return children;
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 items-center justify-between gap-2 border-b px-5 py-2">
        <p className="min-w-0 text-muted numeric">{stateOf(publication)}</p>
        <Button size="sm" icon={showsAll ? "chevron-left" : "history"} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "New version" : "All versions"}
        </Button>
      </div>
      <div className="min-h-0 flex-1">{showsAll ? <PublishedVersions publication={publication} /> : children}</div>
    </div>
  );
}

function stateOf({ live, staging }: Publication): string {
  const first = live === null ? "No version is live" : `Version ${live} is live`;
  return staging === null ? first : `${first}, version ${staging} is in staging`;
}

/** What was just published. It takes the keyboard from the button that is gone, and so is read out. */
function PublishedNotice({ published }: { published: Published }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const { title, hint } = publishedText(published);
  return (
    <div ref={place} tabIndex={-1} className="px-5 pt-4 outline-none">
      <Notice tone="success" title={title}>
        {hint ?? "Switch on where it is to run, and copy what you need."}
      </Notice>
    </div>
  );
}
