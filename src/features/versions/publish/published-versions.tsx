import { useState } from "react";
import { publishedForm } from "../../../engine/publish/published-form.ts";
import { useDocumentStore, useEditor } from "../../../state/editor/editor-context.tsx";
import type { Publication, PublishedVersion } from "../../../services/services.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/theme/class-names.ts";
import { formatMoment } from "../../../ui/text/format-moment.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { MasterDetail } from "../../../ui/layout/master-detail.tsx";
import { Menu, type MenuItem } from "../../../ui/overlays/menu.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { DiffView } from "../diff-view.tsx";
import { RememberedSuites } from "../remembered-suites.tsx";
import { usePublishedDocument, usePublishedVersions, usePublishing } from "./use-publication.ts";

/** All versions, the latest first: which is live, what has changed since, and one click back to it. */
export function PublishedVersions({ publication }: { publication: Publication }) {
  const list = usePublishedVersions();
  const [picked, setPicked] = useState<number | null>(null);
  if (list.isPending) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Loading the versions" />
      </div>
    );
  }
  if (list.isLoadingError) {
    return (
      <div className="p-4">
        <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  const versions = list.rows ?? [];
  const chosen = versions.find(({ version }) => version === picked) ?? versions[0];
  return (
    <MasterDetail
      chosen={picked !== null}
      onBack={() => setPicked(null)}
      list={
        <ul aria-label="Published versions" className="min-h-0 flex-1 overflow-y-auto p-2">
          {versions.map((one) => (
            <VersionRow
              key={one.version}
              version={one}
              publication={publication}
              chosen={one === chosen}
              onChoose={() => setPicked(one.version)}
            />
          ))}
          {list.hasNextPage && (
            <li className="flex justify-center p-2">
              <Button size="sm" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show older versions
              </Button>
            </li>
          )}
        </ul>
      }
      detail={chosen && <VersionDetail key={chosen.version} version={chosen} publication={publication} />}
    />
  );
}

function Names({ version, publication }: { version: number; publication: Publication }) {
  return (
    <>
      {publication.live === version && <Badge tone="success">Live</Badge>}
      {publication.live === version && publication.uncounted.length > 0 && <Badge tone="warning">No price</Badge>}
      {publication.staging === version && <Badge tone="warning">Staging</Badge>}
    </>
  );
}

interface RowProps {
  version: PublishedVersion;
  publication: Publication;
  chosen: boolean;
  onChoose: () => void;
}

function VersionRow({ version: { version, note, publishedAt }, publication, chosen, onChoose }: RowProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={chosen}
        onClick={onChoose}
        className={classNames(
          "flex w-full flex-col rounded-md px-2 py-1.5 text-left",
          chosen ? "bg-accent-soft" : "hover:bg-hover",
        )}
      >
        <span className="flex items-center gap-2">
          <span className="numeric font-medium">Version {version}</span>
          <Names version={version} publication={publication} />
        </span>
        {note !== "" && <span className="line-clamp-2 wrap-anywhere">{note}</span>}
        <span className="numeric text-xs text-muted">By you, {formatMoment(Date.parse(publishedAt))}</span>
      </button>
    </li>
  );
}

function VersionDetail({
  version: { version, note, revision, suites },
  publication,
}: Pick<RowProps, "version" | "publication">) {
  const { point } = usePublishing();
  const { live, staging } = publication;
  const isLive = live === version;
  const move = (target: "live" | "staging", to: number | null) => point.mutate({ target, version: to });
  const actions: MenuItem[] = [
    staging === version
      ? { label: "Take out of staging", icon: "minus", onSelect: () => move("staging", null) }
      : { label: "Use in staging", icon: "flask-conical", onSelect: () => move("staging", version) },
    ...(isLive
      ? ([
          "separator",
          { label: "Unpublish", icon: "power", danger: true, onSelect: () => move("live", null) },
        ] as const)
      : []),
  ];
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-40 flex-1">
          <h3 className="flex items-center gap-2 text-base font-semibold">
            <span className="numeric">Version {version}</span>
            <Names version={version} publication={publication} />
          </h3>
          {note !== "" && <p className="wrap-anywhere whitespace-pre-line">{note}</p>}
          <p className="numeric text-muted">
            {revision !== null && `Revision ${revision} of the workflow. `}What changed in the editor since then:
          </p>
        </div>
        {!isLive && (
          <Button size="sm" variant="primary" busy={point.isPending} onClick={() => move("live", version)}>
            {live !== null && version < live ? "Roll back to this version" : "Make it live"}
          </Button>
        )}
        <Menu
          trigger={<IconButton size="sm" icon="ellipsis" label={`Actions for version ${version}`} />}
          items={actions}
        />
      </div>
      <RememberedSuites suites={suites} />
      <Comparison version={version} />
    </div>
  );
}

function Comparison({ version }: { version: number }) {
  const { registry } = useEditor();
  const now = useDocumentStore((state) => state.document);
  const published = usePublishedDocument(version);
  if (published.isPending) return <Spinner label="Opening the version" />;
  if (published.isLoadingError) return <LoadFailure error={published.error} onRetry={() => void published.refetch()} />;
  return <DiffView before={published.data} after={publishedForm(now)} registry={registry} />;
}
