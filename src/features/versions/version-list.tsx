import type { VersionSummary } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { versionLine, versionTitle } from "./version-text.ts";

/** All versions, the latest first; named ones stand out. */
export function VersionList({
  versions,
  chosen,
  onChoose,
  busy,
  onMore,
}: {
  versions: readonly VersionSummary[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  busy: boolean;
  /** Reads older ones; absent when all are shown. */
  onMore: (() => void) | undefined;
}) {
  return (
    <ul aria-label="Versions" className="min-h-0 flex-1 overflow-y-auto p-2">
      {versions.map((version) => (
        <li key={version.id}>
          <button
            type="button"
            aria-current={version.id === chosen}
            onClick={() => onChoose(version.id)}
            className={classNames(
              "flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left",
              version.id === chosen ? "bg-accent-soft" : "hover:bg-hover",
            )}
          >
            <span className={classNames("mt-0.5", version.name === null ? "text-faint" : "text-accent")}>
              <Icon name={version.name === null ? "history" : "flag"} size={14} />
            </span>
            <span className="min-w-0">
              <span className="numeric block truncate font-medium">{versionTitle(version)}</span>
              <span className="block text-xs text-muted">{versionLine(version)}</span>
            </span>
          </button>
        </li>
      ))}
      {onMore && (
        <li className="flex justify-center p-2">
          <Button size="sm" busy={busy} onClick={onMore}>
            Show older versions
          </Button>
        </li>
      )}
    </ul>
  );
}
