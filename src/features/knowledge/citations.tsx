import { visibleName } from "../../engine/text/visible-name.ts";
import { useState } from "react";
import { isRow } from "../../engine/knowledge/postgres-table.ts";
import type { Citation } from "../../nodes/knowledge/citations.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Tooltip } from "../../ui/overlays/tooltip.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { webAddress } from "./table/web-address.ts";

const SourceDialog = lazyPart(async () => (await import("./source/source-dialog.tsx")).SourceDialog);

/** More than these are shown on request. */
const shownAtFirst = 5;

/** The last heading above a passage says most about it. */
function headingOf({ heading }: Citation): string {
  return heading.split(" › ").at(-1) ?? "";
}

/** The passages that an answer rests on, as chips; each opens its document at the passage. */
export function Citations({ citations }: { citations: readonly Citation[] }) {
  const [whole, setWhole] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const shown = whole ? citations : citations.slice(0, shownAtFirst);
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="text-xs text-muted">Sources</span>
      <ul aria-label="Sources of this answer" className="contents">
        {shown.map((citation) => (
          <li key={citation.chunkId} className="min-w-0">
            <Tooltip content={placeWords(citation)} side="top">
              {sourceOf(citation, setOpen)}
            </Tooltip>
          </li>
        ))}
      </ul>
      {shown.length < citations.length && (
        <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
          {citations.length - shown.length} more
        </Button>
      )}
      {open !== null && <SourceDialog chunkId={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

const chip = "flex h-6 max-w-80 items-center gap-1 rounded-full border bg-surface px-2 text-xs text-ink";
const active = "transition-colors duration-100 hover:border-accent hover:text-accent";

/** A passage's name: it opens the stored passage, or leads to the address of a row. */
function sourceOf(citation: Citation, onOpen: (chunkId: string) => void) {
  const name = (
    <>
      <Icon name="book-open" size={12} />
      <span className="truncate">
        <bdi>{citation.document}</bdi>
        {headingOf(citation) !== "" && (
          <span className="text-muted">
            {" "}
            · <bdi>{headingOf(citation)}</bdi>
          </span>
        )}
      </span>
    </>
  );
  if (!isRow(citation.chunkId)) {
    return (
      <button type="button" className={classNames(chip, active)} onClick={() => onOpen(citation.chunkId)}>
        {name}
      </button>
    );
  }
  const address = webAddress(citation.url);
  if (address === undefined) {
    return <span className={chip}>{name}</span>;
  }
  return (
    <a className={classNames(chip, active)} href={address} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}

function placeWords({ chunkId, document, heading, page, position, score }: Citation): string {
  if (isRow(chunkId)) return `${visibleName(document)} · score ${score.toFixed(2)}`;
  const place = visibleName(heading === "" ? document : `${document} › ${heading}`);
  const on = page === null ? "" : ` · page ${page}`;
  return `${place}${on} · chunk ${position + 1} · score ${score.toFixed(2)}`;
}
