import { countParts, type ImportedPart } from "../../evaluation/import/imported-suite.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { partGroups } from "./import-suite.ts";

/** The order in which a reader needs them. */
const outcomes: readonly { outcome: ImportedPart["outcome"]; title: string; tone: BadgeTone }[] = [
  { outcome: "left-out", title: "Left out", tone: "warning" },
  { outcome: "approximated", title: "Approximated", tone: "neutral" },
  { outcome: "mapped", title: "Mapped", tone: "success" },
];

/** More lines than anybody reads. */
const mostLines = 50;
const mostPlaces = 3;

/** What became of each part of another tool's config; what was taken over as it is stays folded. */
export function ImportSuiteReport({ parts }: { parts: readonly ImportedPart[] }) {
  const counts = countParts(parts);
  return (
    <div className="flex flex-col gap-2">
      {outcomes.map(({ outcome, title, tone }) => (
        <details
          key={outcome}
          aria-label={title}
          className="rounded-md border"
          open={outcome !== "mapped" && counts[outcome] > 0}
        >
          <summary className="cursor-pointer px-3 py-2 font-medium">
            {title} <Badge tone={counts[outcome] > 0 ? tone : "neutral"}>{counts[outcome]}</Badge>
          </summary>
          <Lines parts={parts} outcome={outcome} />
        </details>
      ))}
    </div>
  );
}

function Lines({ parts, outcome }: { parts: readonly ImportedPart[]; outcome: ImportedPart["outcome"] }) {
  const groups = partGroups(parts, outcome);
  if (groups.length === 0) return <p className="border-t px-3 py-2 text-muted">None</p>;
  return (
    <ul className="flex flex-col gap-1.5 border-t px-3 py-2">
      {groups.slice(0, mostLines).map(({ what, note, places }) => (
        <li key={`${what} ${note}`} className="wrap-anywhere">
          <span className="font-medium">{what}</span>
          {places.length > 1 && <span className="numeric"> × {places.length}</span>}{" "}
          <span className="text-muted">{note}</span>
          {places[0] !== what && <span className="block font-mono text-xs text-muted">{placeWords(places)}</span>}
        </li>
      ))}
      {groups.length > mostLines && <li className="text-muted">and {groups.length - mostLines} more</li>}
    </ul>
  );
}

function placeWords(places: readonly string[]): string {
  const rest = places.length - mostPlaces;
  return places.slice(0, mostPlaces).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
