import { useMemo } from "react";
import { jsonChanges } from "./json-changes.ts";

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** What a person changed in a call's arguments: each place with what stood there and what stands there now. */
export function JsonDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const changes = useMemo(() => jsonChanges(before, after), [before, after]);
  return (
    <dl aria-label={label} className="flex flex-col gap-1 font-mono text-xs">
      {changes.map((change) => (
        <div key={change.path} className="rounded-md border px-2 py-1">
          <dt className="text-muted">{change.path === "" ? "all" : change.path}</dt>
          {"before" in change && (
            <dd className="wrap-anywhere text-danger">
              <span aria-hidden>− </span>
              <del className="no-underline">{text(change.before)}</del>
            </dd>
          )}
          {"after" in change && (
            <dd className="wrap-anywhere text-success">
              <span aria-hidden>+ </span>
              <ins className="no-underline">{text(change.after)}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
