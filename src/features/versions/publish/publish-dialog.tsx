import { type ComponentType, useState } from "react";
import type { PublishTestsProps } from "../../../stores/publish-tests.ts";
import type { PublishTrustProps } from "../../../stores/publish-trust.ts";
import type { Publication } from "../../../services/services.ts";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/layout/tabs.tsx";
import { FailureForm } from "./failure-form.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { PublishForm } from "./publish-form.tsx";
import { PublishedVersions } from "./published-versions.tsx";
import { ScheduleList } from "./schedule-list.tsx";
import { usePublication } from "./use-publication.ts";

/** A tab about one way in which others reach the published workflow; the page hands them in. */
export interface DoorTab {
  value: string;
  title: string;
  Panel: ComponentType<{ publication: Publication }>;
}

interface PublishDialogProps {
  doors: readonly DoorTab[];
  /** Knows the workflow's tests; the page hands it in. */
  Tests: ComponentType<PublishTestsProps>;
  /** Knows the doors; the page hands it in. */
  Trust: ComponentType<PublishTrustProps>;
  /** Where it opens; at a new version when absent. */
  tab?: string | undefined;
  onClose: () => void;
}

/** Publishing of the open workflow: a new version, those that there are, and what runs of them may take. */
export function PublishDialog({ doors, Tests, Trust, tab: opened = "publish", onClose }: PublishDialogProps) {
  const [tab, setTab] = useState(opened);
  const publication = usePublication();
  const { data } = publication;
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
        {publication.isPending && (
          <div className="flex flex-1 items-center justify-center border-t">
            <Spinner label="Loading what is published" />
          </div>
        )}
        {publication.isError && (
          <div className="p-4">
            <LoadFailure error={publication.error} onRetry={() => void publication.refetch()} />
          </div>
        )}
        {data !== undefined && (
          <Tabs value={data === null ? "publish" : tab} onValueChange={setTab} className="flex-1">
            {data !== null && (
              <TabList label="Publishing">
                <Tab value="publish">New version</Tab>
                <Tab value="versions">Versions</Tab>
                <Tab value="schedules">Schedules</Tab>
                <Tab value="limits">Limits</Tab>
                <Tab value="failures">Failures</Tab>
                {doors.map(({ value, title }) => (
                  <Tab key={value} value={value}>
                    {title}
                  </Tab>
                ))}
              </TabList>
            )}
            <TabPanel value="publish" className={data === null ? "border-t" : ""}>
              <PublishForm publication={data} Tests={Tests} Trust={Trust} onClose={onClose} />
            </TabPanel>
            {data !== null && (
              <>
                <TabPanel value="versions">
                  <PublishedVersions publication={data} />
                </TabPanel>
                <TabPanel value="schedules" className="overflow-y-auto">
                  <ScheduleList />
                </TabPanel>
                <TabPanel value="limits" className="overflow-y-auto">
                  <LimitsForm publication={data} />
                </TabPanel>
                <TabPanel value="failures" className="overflow-y-auto">
                  <FailureForm />
                </TabPanel>
                {doors.map(({ value, Panel }) => (
                  <TabPanel key={value} value={value} className="overflow-y-auto">
                    <Panel publication={data} />
                  </TabPanel>
                ))}
              </>
            )}
          </Tabs>
        )}
      </div>
    </Dialog>
  );
}
