import type { VersionReason, VersionSummary } from "../../services/services.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";

const reasons: Record<VersionReason, string> = {
  edit: "Kept while editing",
  restore: "Before a restore",
  import: "Before an import",
  conflict: "Overwritten after a conflict",
  manual: "Kept by hand",
};

/** What a version is called: its name, or when it was. */
export function versionTitle({ name, savedAt }: VersionSummary): string {
  return name ?? formatMoment(Date.parse(savedAt));
}

/** The line under it. Results of tests name revisions, so they are found by them. */
export function versionLine({ name, reason, savedAt, revision }: VersionSummary): string {
  return `${name === null ? reasons[reason] : formatMoment(Date.parse(savedAt))} · revision ${revision}`;
}
